/**
 * The page's script: fetches what has changed whenever the service reports a change, and plays steps. Plain browser code.
 * The markup of items comes from the service, which escapes everything from outside; the rest is set as text.
 */
export const pageScript = `
(() => {
  const byId = (id) => document.getElementById(id);
  const all = (selector, inside = document) => [...inside.querySelectorAll(selector)];
  const base = document.body.dataset.control || location.pathname.replace(/\\/+$/, '');
  // Success disappears; a failure stays until the next step.
  const shownMs = 4000;
  let timer;
  const show = (text, failed = false) => {
    byId('status').textContent = text;
    byId('status').classList.toggle('fail', failed);
    clearTimeout(timer);
    if (!failed && !text.endsWith('…')) timer = setTimeout(() => show(''), shownMs);
  };

  const parsed = (source, key) => {
    const template = document.createElement('template');
    template.innerHTML = source;
    const element = template.content.firstElementChild;
    element.dataset.key = key;
    return element;
  };
  const focusable = 'summary, button, [tabindex]';
  const replaced = (before, after) => {
    all('details', before).forEach((one, at) => {
      const same = all('details', after)[at];
      if (same) same.open = one.open;
    });
    const focus = all(focusable, before).indexOf(document.activeElement);
    before.replaceWith(after);
    if (focus >= 0) all(focusable, after)[focus]?.focus({ preventScroll: true });
    return after;
  };
  const applyList = (name, { order, changed }) => {
    const place = document.querySelector('[data-list="' + name + '"]');
    const chosen = place.value;
    const known = new Map([...place.children].map((element) => [element.dataset.key, element]));
    order.forEach((key, at) => {
      let element = known.get(key);
      if (changed[key] !== undefined) {
        const fresh = parsed(changed[key], key);
        element = element ? replaced(element, fresh) : fresh;
      }
      known.delete(key);
      if (place.children[at] !== element) place.insertBefore(element, place.children[at] ?? null);
    });
    for (const element of known.values()) element.remove();
    if (order.includes(chosen) || [...place.children].some(({ value }) => value === chosen)) place.value = chosen;
    const count = document.querySelector('[data-count="' + name + '"]');
    if (count) count.textContent = '(' + order.length + ')';
    const empty = document.querySelector('[data-empty="' + name + '"]');
    if (empty) empty.hidden = order.length > 0;
  };

  let revision = 0;
  let ahead = 0;
  const tick = () => (byId('clock').textContent = new Date(Date.now() + ahead).toISOString().slice(0, 19).replace('T', ' ') + ' UTC');
  let isFetching = false;
  let isStale = false;
  const refresh = async () => {
    isStale = true;
    if (isFetching) return;
    isFetching = true;
    try {
      while (isStale) {
        isStale = false;
        const response = await fetch(base + '/page/view?since=' + revision);
        if (!response.ok) throw new Error('status ' + response.status);
        const view = await response.json();
        ahead = view.now - Date.now();
        tick();
        for (const [name, list] of Object.entries(view.lists)) applyList(name, list);
        revision = view.revision;
      }
    } catch {
      byId('connection').textContent = 'The connection to the service is lost; reload this page when it runs again.';
    } finally {
      isFetching = false;
    }
  };
  const events = new EventSource(base + '/page/changes');
  events.onopen = () => {
    byId('connection').textContent = '';
    void refresh();
  };
  events.onmessage = () => void refresh();
  events.onerror = () => (byId('connection').textContent = 'The service has stopped, or is out of reach.');
  setInterval(tick, 1000);

  const post = async (what, address, body) => {
    show(what + ' …');
    try {
      const response = await fetch(address, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify(body),
      });
      const answer = await response.json();
      if (!response.ok) return show(answer.detail ?? what + ': status ' + response.status, true);
      const count = answer.events?.length;
      show(what + ': done' + (count === undefined ? '' : ', ' + count + (count === 1 ? ' event' : ' events')));
      return true;
    } catch {
      show(what + ': the service does not answer', true);
    }
  };
  const withCustomer = (body) => {
    const from = byId('customer').value;
    return from === '' ? body : { ...body, from };
  };
  const valueOf = ({ value, dataset: { as } }) =>
    as === 'number' ? Number(value) : as === 'lines' ? value.split('\\n').filter((line) => line.trim() !== '') : value;

  document.addEventListener('click', ({ target }) => {
    const button = target instanceof Element ? target.closest('button') : null;
    if (!button) return;
    const { step, body, who, again } = button.dataset;
    if (again !== undefined) void post('send again', base + '/page/again/' + again, {});
    if (step === undefined) return;
    const fields = JSON.parse(body ?? '{}');
    void post(step, base + '/' + step, who === undefined ? fields : withCustomer(fields));
  });
  document.addEventListener('submit', async (event) => {
    event.preventDefault();
    const form = event.target;
    const named = all('[name]', form).filter(({ value }) => value !== '');
    let step = form.dataset.form;
    let body = Object.fromEntries(named.map((field) => [field.name, valueOf(field)]));
    if (step === undefined) {
      step = body.step;
      try {
        body = JSON.parse(body.body ?? '{}');
      } catch (error) {
        return show(error.message, true);
      }
    }
    const sent = form.dataset.who === undefined ? body : withCustomer(body);
    if (await post(step, base + '/' + step, sent)) for (const field of all('[data-clear]', form)) field.value = '';
  });
  document.addEventListener('keydown', (event) => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
    event.target.closest?.('form')?.requestSubmit();
  });
  const chosen = byId('any-step');
  const describe = () => (byId('any-step-does').textContent = chosen.selectedOptions[0].dataset.does);
  chosen.addEventListener('change', describe);
  describe();
})();
`;
