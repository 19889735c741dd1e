/**
 * The page's script: shows the filter and hides rows that do not match; opens the exchange that a link points to.
 * Written for the browser as it is; without it every row is shown.
 */
export const script = `
(() => {
  const form = document.getElementById('filter');
  const text = document.getElementById('filter-text');
  const verdict = document.getElementById('filter-verdict');
  const count = document.getElementById('filter-count');
  const rows = [...document.querySelectorAll('#requirements tr[data-outcome]')]
    .map((row) => ({ row, words: row.textContent.toLowerCase() }));
  const tables = [...document.querySelectorAll('#requirements .by-surface')];
  const apply = () => {
    const wanted = text.value.trim().toLowerCase();
    let shown = 0;
    for (const { row, words } of rows) {
      const fits = words.includes(wanted) && (verdict.value === '' || row.dataset.outcome === verdict.value);
      row.hidden = !fits;
      if (fits) shown += 1;
    }
    const filtered = wanted !== '' || verdict.value !== '';
    for (const table of tables) {
      table.hidden = table.querySelector('tr[data-outcome]:not([hidden])') === null;
      for (const folded of table.querySelectorAll('.left-out')) folded.open = filtered;
    }
    count.textContent = shown + ' of ' + rows.length + ' shown';
  };
  form.hidden = false;
  form.addEventListener('submit', (event) => event.preventDefault());
  form.addEventListener('input', apply);
  apply();
  const reveal = () => {
    const target = location.hash.length > 1 && document.getElementById(location.hash.slice(1));
    if (target instanceof HTMLDetailsElement) {
      target.open = true;
      target.scrollIntoView();
    }
  };
  addEventListener('hashchange', reveal);
  reveal();
})();
`;
