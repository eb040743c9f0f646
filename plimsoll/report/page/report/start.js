// Reads the data of the page and builds it.
(function start() {
  const data = JSON.parse(document.getElementById("run-data").textContent);
  document.getElementById("page").replaceChildren(...(data.page === "comparison" ? comparePage(data) : reportPage(data)));
  document.documentElement.dataset.ready = "yes";
})();
