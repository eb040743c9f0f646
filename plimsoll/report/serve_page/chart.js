// Charts of the live pages, as SVG. Names come from files that are not trusted: they are set as text.
'use strict';

const SVG = 'http://www.w3.org/2000/svg';

function drawn(kind, attributes, text) {
  const element = document.createElementNS(SVG, kind);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  if (text !== undefined) element.textContent = text;
  return element;
}

function shortNumber(value) {
  if (!Number.isFinite(value)) return String(value);
  const size = Math.abs(value);
  return size !== 0 && (size < 1e-3 || size >= 1e5) ? value.toExponential(1) : String(+value.toPrecision(3));
}

// At most `most` points; the first and the last stay, and of each group its extremes.
function thinned(points, most) {
  if (points.length <= most) return points;
  const size = Math.ceil(points.length / (most / 2)), found = [];
  for (let i = 0; i < points.length; i += size) {
    const group = points.slice(i, i + size);
    const least = group.reduce((a, b) => (b[1] < a[1] ? b : a));
    const largest = group.reduce((a, b) => (b[1] > a[1] ? b : a));
    found.push(...(least[0] <= largest[0] ? [least, largest] : [largest, least]));
  }
  found.push(points[points.length - 1]);
  return found;
}

// Lines over the same axis: lines[i] = {name, points: [[x, y], …]}; options: {title, x, mark: {value,
// name}, format}. A mark is a level that must not be crossed.
function lineChart(lines, options) {
  const width = 480, height = 220, left = 62, right = 12, top = 14, bottom = 30;
  const format = options.format || shortNumber;
  const shown = lines.map((line) => thinned(line.points.filter((p) => Number.isFinite(p[1])), 1000));
  const all = shown.flat();
  const figure = document.createElement('figure');
  const caption = document.createElement('figcaption');
  caption.append(options.title);
  lines.forEach((line, i) => {
    const name = document.createElement('span');
    name.className = i === 0 ? 'first' : 'second';
    const last = shown[i].length ? format(shown[i][shown[i].length - 1][1]) : 'none yet';
    name.textContent = `${i === 0 ? '—' : '- -'} ${line.name}: ${last}`;
    caption.append(name);
  });
  figure.append(caption);
  const ys = all.map((p) => p[1]).concat(options.mark ? [options.mark.value] : []);
  const svg = drawn('svg', {viewBox: `0 0 ${width} ${height}`, role: 'img'});
  svg.append(drawn('title', {}, `${options.title}: ${all.length} points`));
  figure.append(svg);
  if (!all.length) return figure;
  const low = (values) => values.reduce((a, b) => Math.min(a, b));
  const high = (values) => values.reduce((a, b) => Math.max(a, b));
  const x0 = low(all.map((p) => p[0])), x1 = Math.max(high(all.map((p) => p[0])), x0 + 1);
  let y0 = options.fromZero ? 0 : low(ys), y1 = high(ys);
  if (y1 <= y0) [y0, y1] = [y0 - Math.abs(y0 || 1) / 10, y0 + Math.abs(y0 || 1) / 10];
  if (options.fromZero) y1 *= 1.08;
  const x = (value) => left + (value - x0) / (x1 - x0) * (width - left - right);
  const y = (value) => height - bottom - (value - y0) / (y1 - y0) * (height - top - bottom);
  for (let i = 0; i <= 4; ++i) {
    const value = y0 + (y1 - y0) * i / 4;
    svg.append(drawn('line', {class: 'grid', x1: left, x2: width - right, y1: y(value), y2: y(value)}));
    svg.append(drawn('text', {x: left - 6, y: y(value) + 4, 'text-anchor': 'end'}, format(value)));
  }
  svg.append(drawn('text', {x: left, y: height - 8}, `${options.x} ${x0}`));
  svg.append(drawn('text', {x: width - right, y: height - 8, 'text-anchor': 'end'}, String(x1)));
  shown.forEach((points, i) => {
    const kind = i === 0 ? 'first' : 'second';
    const path = points.map((p) => `${x(p[0]).toFixed(1)},${y(p[1]).toFixed(1)}`).join(' ');
    svg.append(drawn('polyline', {class: kind, points: path, 'data-points': points.length}));
    if (points.length < 60)
      for (const p of points)
        svg.append(drawn('circle', {class: kind, cx: x(p[0]).toFixed(1), cy: y(p[1]).toFixed(1), r: 2}));
  });
  if (options.mark) {
    const level = y(options.mark.value);
    svg.append(drawn('line', {class: 'mark', x1: left, x2: width - right, y1: level, y2: level}));
    svg.append(drawn('circle', {class: 'mark', cx: width - right - 14, cy: level, r: 9, fill: 'none'}));
    svg.append(drawn('text', {class: 'mark-name', x: left + 6, y: level - 5}, options.mark.name));
  }
  return figure;
}
