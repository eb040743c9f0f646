// The pages of 'plimsoll serve': a list of runs, and one page per run that follows it. All that comes
// from files is shown as text.
'use strict';

const content = document.getElementById('content');
const actions = document.getElementById('actions');
const outcome = document.getElementById('outcome');
const title = document.getElementById('title');

function made(kind, text, className) {
  const element = document.createElement(kind);
  if (text !== undefined) element.textContent = text;
  if (className) element.className = className;
  return element;
}

function bytesText(bytes) {
  if (!bytes) return '-';
  const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB'];
  let unit = 0;
  for (; bytes >= 1024 && unit < units.length - 1; ++unit) bytes /= 1024;
  return `${unit ? bytes.toFixed(1) : bytes} ${units[unit]}`;
}

function timeText(seconds) {
  const whole = Math.floor(seconds || 0), two = (n) => String(n).padStart(2, '0');
  return `${Math.floor(whole / 3600)}:${two(Math.floor(whole / 60) % 60)}:${two(whole % 60)}`;
}

function number(value) {
  return typeof value === 'number' ? value : value === 'inf' ? Infinity : value === '-inf' ? -Infinity : NaN;
}

function bestText(run) {
  return run.metric ? `${run.metric} ${shortNumber(number(run.best))} (epoch ${run.best_epoch})` : '-';
}

// --- the list ----------------------------------------------------------------------------------

async function showList() {
  const found = await (await fetch('api/runs')).json();
  title.textContent = `Runs in ${found.folder}`;
  outcome.textContent = found.runs.length ? '' : 'There is no run yet.';
  const table = made('table'), head = made('tr');
  for (const name of ['Run', 'Status', 'Epochs', 'Best', 'Peak', 'Planned', 'Time', 'Started'])
    head.append(made('th', name));
  table.append(head);
  for (const run of found.runs) {
    const row = made('tr'), cell = made('td'), link = made('a', run.name);
    link.href = '?run=' + encodeURIComponent(run.name);
    cell.append(link);
    row.append(cell);
    for (const text of [run.status, `${run.epochs}/${run.planned_epochs ?? '?'}`, bestText(run),
      bytesText(run.measured_peak_bytes), bytesText(run.planned_peak_bytes), timeText(run.seconds),
      (run.started ?? '-').replace('T', ' ').replace('Z', '')]) row.append(made('td', text));
    table.append(row);
  }
  const wide = made('div', undefined, 'wide');
  wide.append(table);
  content.replaceChildren(wide);
  setTimeout(showList, 5000);
}

// --- a run -------------------------------------------------------------------------------------

const run = {name: '', epochs: [], steps: [], findings: [], about: {}, status: {}, isCut: false};

// A log may hold anything: metrics become a Map, because an object has members that nobody wrote.
function note(event) {
  const isObject = typeof event.metrics === 'object' && event.metrics !== null && !Array.isArray(event.metrics);
  if (event.event === 'epoch' && isObject && Number.isFinite(event.epoch))
    run.epochs.push({epoch: event.epoch, bytes: number(event.resident_bytes),
      metrics: new Map(Object.entries(event.metrics))});
  if (event.event === 'statistics' && Number.isFinite(event.step))
    run.steps.push([event.step, number(event.loss)]);
  if (event.event === 'finding') run.findings.push(event);
  if (event.event === 'diagnosis')
    run.findings.push({...event, where: event.where?.layer ?? event.where?.record ?? event.cause});
  if (event.event === 'not_finite')
    run.findings.push({severity: 'error', where: `epoch ${event.epoch}, batch ${event.batch}`, what: event.what});
}

// "loss" with "val_loss", and so on.
function metricCharts() {
  const names = new Set();
  for (const epoch of run.epochs)
    for (const name of epoch.metrics.keys()) names.add(name.replace(/^val_/, ''));
  const points = (name) => run.epochs.filter((e) => e.metrics.has(name))
    .map((e) => [e.epoch, number(e.metrics.get(name))]);
  return [...names].slice(0, 24).map((name) => {
    const lines = [{name: 'training', points: points(name)}];
    const validation = points('val_' + name);
    if (validation.length) lines.push({name: 'validation', points: validation});
    return lineChart(lines, {title: name, x: 'epoch'});
  });
}

function memoryChart() {
  const planned = number(run.about.plan?.peak_bytes);
  return lineChart([{name: 'resident', points: run.epochs.map((e) => [e.epoch, e.bytes])}], {
    title: 'memory against the plan', x: 'epoch', format: (bytes) => (bytes ? bytesText(bytes) : '0'), fromZero: true,
    mark: planned ? {value: planned, name: `planned peak ${bytesText(planned)}`} : undefined});
}

function stepChart() {
  return lineChart([{name: 'loss', points: run.steps}],
    {title: 'loss of sampled steps', x: 'step'});
}

function findingsList() {
  const list = made('ul', undefined, 'findings');
  for (const finding of run.findings.slice(-200)) {
    const item = made('li', undefined, ['warning', 'error'].includes(finding.severity) ? finding.severity : '');
    item.append(made('strong', `${finding.severity}: `), `${finding.where ?? ''}: ${finding.what ?? ''}`);
    if (finding.remedy) item.append(made('span', ` (${finding.remedy})`, 'soft'));
    list.append(item);
  }
  return list;
}

function draw() {
  const charts = made('div', undefined, 'charts');
  charts.append(...metricCharts(), memoryChart());
  if (run.steps.length) charts.append(stepChart());
  const parts = [charts];
  if (run.isCut) parts.push(made('p', 'The log is long: its beginning is not shown.', 'soft'));
  parts.push(made('h2', 'Findings'));
  parts.push(run.findings.length ? findingsList() : made('p', 'None.', 'soft'));
  content.replaceChildren(...parts);
}

function drawStatus() {
  const s = run.status;
  document.title = `${run.name}: ${s.status ?? ''}`;
  outcome.textContent = `${s.status ?? ''}${s.why ? ': ' + s.why : ''}; ${s.epochs ?? 0} of ` +
    `${s.planned_epochs ?? '?'} epochs, best ${bestText(s)}, ${timeText(s.seconds)}`;
  for (const button of actions.querySelectorAll('button')) button.disabled = s.status !== 'running';
}

function button(text, path, question) {
  const element = made('button', text);
  element.disabled = true;
  element.addEventListener('click', async () => {
    if (question && !confirm(question)) return;
    const reply = await fetch(`api/${path}?name=${encodeURIComponent(run.name)}`, {method: 'POST'});
    said.textContent = (await reply.text()).trim();
  });
  return element;
}

const said = made('span', '', 'soft');
said.setAttribute('role', 'status');

let isDue = false;
function drawSoon() {
  if (isDue) return;
  isDue = true;
  requestAnimationFrame(() => { isDue = false; draw(); });
}

async function showRun(name) {
  run.name = name;
  title.textContent = name;
  const back = made('a', 'all runs');
  back.href = './';
  actions.append(back, button('Checkpoint now', 'checkpoint'),
    button('Stop in good order', 'stop', 'Stop this run? It saves its model and can go on later.'), said);
  const query = `name=${encodeURIComponent(name)}`;
  const reply = await fetch(`api/run?${query}`);
  if (!reply.ok) {
    content.replaceChildren(made('p', 'There is no such run.'));
    return;
  }
  run.about = await reply.json();
  run.status = run.about.summary;
  drawStatus();
  draw();
  const events = new EventSource(`api/events?${query}&from=0`);
  events.addEventListener('log', (message) => {
    for (const line of message.data.split('\n')) note(JSON.parse(line));
    drawSoon();
  });
  events.addEventListener('reset', () => { run.epochs = []; run.steps = []; run.findings = []; });
  events.addEventListener('cut', () => { run.isCut = true; });
  events.addEventListener('status', (message) => { run.status = JSON.parse(message.data); drawStatus(); });
}

const wanted = new URLSearchParams(location.search).get('run');
if (wanted) showRun(wanted); else showList();
