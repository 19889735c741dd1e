/** The script of the overview page: search and filter. Without it the page shows all targets. */
export const fleetScript = `
(() => {
  const byId = (id) => document.getElementById(id);
  const form = byId('filter');
  const rows = [...document.querySelectorAll('#targets-table tbody tr')].map((element) => ({
    element,
    words: element.textContent.toLowerCase(),
    causes: element.dataset.causes.split(' '),
  }));
  const filter = () => {
    const [wanted, result, cause] = ['text', 'result', 'cause'].map((name) => byId('filter-' + name).value);
    const words = wanted.trim().toLowerCase();
    let shown = 0;
    for (const { element, words: text, causes } of rows) {
      const fits =
        (result === '' || element.dataset.result === result) &&
        (cause === '' || causes.includes(cause)) &&
        text.includes(words);
      element.hidden = !fits;
      if (fits) shown += 1;
    }
    byId('filter-count').textContent = shown + ' of ' + rows.length + ' shown';
  };
  form.hidden = false;
  form.addEventListener('submit', (event) => event.preventDefault());
  form.addEventListener('input', filter);
  for (const button of document.querySelectorAll('button[data-cause]')) {
    button.hidden = false;
    button.addEventListener('click', () => {
      form.reset();
      byId('filter-cause').value = button.dataset.cause;
      filter();
      byId('targets').scrollIntoView();
    });
  }
  filter();
})();
`;
