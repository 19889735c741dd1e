/**
 * The page's script: filters, buttons to copy and to expand, links that open their target, and packed exchanges. It is
 * plain browser code; without it everything except the packed exchanges can be read.
 */
export const script = `
(() => {
  const byId = (id) => document.getElementById(id);
  const all = (selector, inside = document) => [...inside.querySelectorAll(selector)];
  const make = (name, fields) => Object.assign(document.createElement(name), fields);

  const form = byId('filter');
  const choices = ['verdict', 'level', 'surface'].map((name) => byId('filter-' + name));
  const text = byId('filter-text');
  const wordsOf = (one) => (one.words ??= (one.element.textContent + ' ' + (one.more?.textContent ?? '')).toLowerCase());
  const rows = all('#requirements tr[data-outcome]').map((element) => ({
    element,
    more: element.nextElementSibling?.classList.contains('more') ? element.nextElementSibling : undefined,
  }));
  const tables = all('#requirements .by-surface');
  // A heading counts what is shown below it; without a filter it has the number that was written.
  const recount = (label, rows, filtered) => {
    label.dataset.all ??= label.textContent;
    const shown = all('tr[data-outcome]:not([hidden])', rows).length;
    label.textContent = filtered ? label.dataset.all.replace(/^\\d+/, shown) : label.dataset.all;
  };
  const filter = () => {
    const wanted = text.value.trim().toLowerCase();
    const [verdict, level, surface] = choices.map(({ value }) => value);
    const fits = (one) =>
      (verdict === '' || one.element.dataset.outcome === verdict) &&
      (level === '' || one.element.dataset.level === level) &&
      (surface === '' || one.element.dataset.surface === surface) &&
      (wanted === '' || wordsOf(one).includes(wanted));
    let shown = 0;
    for (const one of rows) {
      one.element.hidden = !fits(one);
      if (one.more) one.more.hidden = one.element.hidden;
      if (!one.element.hidden) shown += 1;
    }
    const filtered = [wanted, verdict, level, surface].some((value) => value !== '');
    for (const table of tables) {
      table.hidden = table.querySelector('tr[data-outcome]:not([hidden])') === null;
      recount(table.querySelector('.count'), table, filtered);
      for (const folded of all('.folded', table)) {
        folded.hidden = folded.querySelector('tr[data-outcome]:not([hidden])') === null;
        folded.open = filtered && !folded.hidden;
        recount(folded.querySelector('summary'), folded, filtered);
      }
    }
    byId('filter-count').textContent = shown + ' of ' + rows.length + ' shown';
  };
  form.hidden = false;
  form.addEventListener('submit', (event) => event.preventDefault());
  form.addEventListener('input', filter);
  filter();

  // Without clipboard access, the command is selected for the reader to copy.
  const status = make('p', { className: 'unseen', role: 'status' });
  document.body.append(status);
  const copy = async (code, button) => {
    getSelection().selectAllChildren(code);
    let done = false;
    try {
      await navigator.clipboard.writeText(code.textContent);
      done = true;
    } catch {
      done = document.execCommand('copy');
    }
    button.textContent = done ? 'Copied' : 'Selected';
    status.textContent = done ? 'The command is copied.' : 'The command is selected; copy it with the keyboard.';
    setTimeout(() => (button.textContent = 'Copy'), 2000);
  };
  const addCopies = (inside) => {
    for (const place of all('.command', inside)) {
      const code = place.querySelector('code');
      const button = make('button', { type: 'button', className: 'copy', textContent: 'Copy' });
      button.setAttribute('aria-label', 'Copy the command ' + code.textContent);
      button.addEventListener('click', () => void copy(code, button));
      place.append(button);
    }
  };
  addCopies(document);

  // The framework that the reader chose is shown in all places.
  document.addEventListener('change', ({ target }) => {
    if (!target.matches('.tabs input')) return;
    const chosen = target.labels[0].textContent;
    for (const input of all('.tabs input')) if (input.labels[0].textContent === chosen) input.checked = true;
  });

  const cards = all('#fix .card-body');
  if (cards.length > 1) {
    const bar = make('p', { className: 'unfold' });
    for (const [words, open] of [['Expand all', true], ['Collapse all', false]]) {
      const button = make('button', { type: 'button', textContent: words });
      button.addEventListener('click', () => cards.forEach((card) => (card.open = open)));
      bar.append(button, ' ');
    }
    byId('fix-title').after(bar);
  }

  const unpacked = new Map();
  const packs = all('.pack').map((pack) => ({
    pack,
    first: Number(pack.dataset.first),
    count: Number(pack.dataset.count),
  }));
  const packed = packs.reduce((sum, { count }) => sum + count, 0);
  const unpack = async ({ pack, first }) => {
    if (!unpacked.has(first)) {
      const bytes = Uint8Array.from(atob(pack.content.textContent), (letter) => letter.charCodeAt(0));
      const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate-raw'));
      const markups = JSON.parse(await new Response(stream).text());
      const words = markups.map((markup) => markup.replace(/<[^>]*>/g, '').toLowerCase());
      unpacked.set(first, markups.map((markup, index) => ({ markup, words: words[index] })));
    }
    return unpacked.get(first);
  };
  const list = byId('further-list');
  const more = byId('further-more');
  const atOnce = 50;
  let wanted = '';
  let shown = 0;
  let turn = 0;
  const asMarkup = (words) =>
    words.replace(/[&<>"'\`]/g, (letter) => '&' + { '&': 'amp', '<': 'lt', '>': 'gt', '"': 'quot', "'": '#39', '\`': '#96' }[letter] + ';');
  const showMore = async () => {
    const mine = turn;
    const words = asMarkup(wanted);
    let [passed, added] = [0, 0];
    for (const pack of packs) {
      for (const one of await unpack(pack)) {
        if (mine !== turn) return;
        if (!one.words.includes(words)) continue;
        passed += 1;
        if (passed <= shown) continue;
        if (added === atOnce) {
          shown += added;
          more.hidden = false;
          return;
        }
        if (!document.getElementById(/ id="(exchange-\\d+)"/.exec(one.markup)[1])) {
          list.insertAdjacentHTML('beforeend', one.markup);
          addCopies(list.lastElementChild);
        }
        added += 1;
      }
    }
    shown += added;
    more.hidden = true;
  };
  const showPacked = () => {
    turn += 1;
    shown = 0;
    list.replaceChildren();
    void showMore();
  };
  if (packed > 0) {
    byId('further-note').textContent = 'They are packed into this page to keep it small.';
    more.hidden = false;
    more.textContent = 'Show them';
    more.addEventListener('click', () => {
      more.textContent = 'Show more';
      void showMore();
    });
  }

  const evidenceForm = byId('evidence-filter');
  const exchanges = all('#exchanges > details, #calls .exchanges > details').map((element) => ({ element }));
  if (evidenceForm) {
    const field = byId('evidence-text');
    let timer;
    const find = () => {
      wanted = field.value.trim().toLowerCase();
      let found = 0;
      for (const one of exchanges) {
        one.element.hidden = !wordsOf(one).includes(wanted);
        if (!one.element.hidden) found += 1;
      }
      for (const folded of all('#calls .folded')) folded.open = wanted !== '';
      byId('evidence-count').textContent = found + ' of ' + exchanges.length + ' shown';
      if (packed > 0) showPacked();
    };
    evidenceForm.hidden = false;
    evidenceForm.addEventListener('submit', (event) => event.preventDefault());
    evidenceForm.addEventListener('input', () => {
      clearTimeout(timer);
      timer = setTimeout(find, 150);
    });
  }

  const open = (target) => {
    for (let one = target; one; one = one.parentElement) if (one instanceof HTMLDetailsElement) one.open = true;
    for (const one of all(':scope > .card-body', target)) one.open = true;
    target.scrollIntoView();
  };
  const openPacked = async (anchor) => {
    for (const pack of packs) {
      const found = (await unpack(pack)).find(({ markup }) => markup.includes(' id="' + anchor + '"'));
      if (!found) continue;
      if (!byId(anchor)) {
        list.insertAdjacentHTML('afterbegin', found.markup);
        addCopies(list.firstElementChild);
      }
      open(byId(anchor));
      byId(anchor).querySelector('summary').focus();
      return;
    }
  };
  document.addEventListener('click', (event) => {
    const link = event.target instanceof Element && event.target.closest('a[data-exchange]');
    if (!link) return;
    event.preventDefault();
    void openPacked(link.dataset.exchange);
  });
  const reveal = () => {
    const target = location.hash.length > 1 && byId(location.hash.slice(1));
    if (target && target.tagName !== 'SECTION') open(target);
  };
  addEventListener('hashchange', reveal);
  reveal();
})();
`;
