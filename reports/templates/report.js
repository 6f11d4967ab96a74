(() => {
  const all = (selector, root = document) => [...root.querySelectorAll(selector)];
  const one = (selector) => document.querySelector(selector);
  const [form, query, matches] = [one('#filter'), one('#query'), one('#matches')];
  const different = one('#different');
  const chapters = all('.chapter').map((element) => ({
    element,
    title: element.dataset.chapter,
    wasOpen: element.open,
    rows: all('tbody > tr', element).map((row) => ({
      row,
      statuses: row.dataset.s.split(' '),
      level: row.dataset.l,
      text: row.querySelector('th').textContent.toLowerCase(),
    })),
  }));
  const total = chapters.reduce((sum, chapter) => sum + chapter.rows.length, 0);

  // `status:fail,known -level:may "two words"`
  const parse = (text) => (text.toLowerCase().match(/-?(?:\w+:)?(?:"[^"]*"?|\S+)/g) || []).map((word) => {
    const [, minus, key, rest] = word.match(/^(-?)(?:(status|level|chapter|is):)?(.*)$/s);
    return { not: minus === '-', key, values: rest.replaceAll('"', '').split(key ? ',' : '\n').filter((value) => value) };
  }).filter((term) => term.values.length);

  const holds = (term, chapter, { statuses, level, text }) => term.values.some((value) => {
    switch (term.key) {
      case 'status': return statuses.includes(value);
      case 'level': return level === value;
      case 'chapter': return /^\d+$/.test(value) ? chapter.title.split(' ')[0] === value : chapter.title.includes(value);
      case 'is': return value === 'different' && new Set(statuses).size > 1;
      default: return text.includes(value);
    }
  });

  const filter = () => {
    const terms = parse(query.value);
    let count = 0;
    for (const chapter of chapters) {
      let inChapter = 0;
      for (const entry of chapter.rows) {
        const shown = terms.every((term) => holds(term, chapter, entry) !== term.not);
        entry.row.hidden = !shown;
        inChapter += shown;
      }
      chapter.element.hidden = inChapter === 0;
      chapter.element.open = terms.length ? inChapter > 0 : chapter.wasOpen;
      count += inChapter;
    }
    matches.textContent = terms.length ? `${count} of ${total} requirements` : `${total} requirements`;
    for (const select of all('select', form)) {
      const term = terms.find((term) => term.key === select.dataset.key && !term.not && term.values.length === 1);
      const values = [...select.options].map((option) => option.value);
      select.value = term && values.includes(term.values[0]) ? term.values[0] : '';
    }
    if (different) different.checked = terms.some((term) => term.key === 'is' && !term.not);
  };

  const remember = () => {
    const hash = encodeURIComponent(query.value.trim()).replaceAll('%3A', ':').replaceAll('%2C', ',').replaceAll('%20', '+');
    history.replaceState(null, '', hash ? `#${hash}` : location.pathname + location.search);
  };

  const change = (key, value) => {
    const words = (query.value.match(/\S+/g) || []).filter((word) => !word.toLowerCase().startsWith(`${key}:`));
    if (value) words.push(`${key}:${value}`);
    query.value = words.join(' ');
    filter();
    remember();
  };

  // A hash is the place of something on this page, or else a filter.
  const follow = () => {
    let hash = location.hash.slice(1);
    const place = hash && document.getElementById(hash);
    if (place) {
      if (form && (place.hidden || place.closest('[hidden]'))) {
        query.value = '';
        filter();
      }
      for (let part = place; part; part = part.parentElement) if (part.tagName === 'DETAILS') part.open = true;
      const inner = place.matches('tr') && place.querySelector('details');
      if (inner) inner.open = true;
      place.scrollIntoView();
      const focus = place.querySelector('summary, a') || place;
      focus.focus({ preventScroll: true });
      return;
    }
    try {
      hash = decodeURIComponent(hash.replaceAll('+', ' '));
    } catch { /* It is taken as it is. */ }
    // A page without requirements has no filter.
    if (!form) return;
    query.value = hash;
    filter();
    if (hash) one('#requirements').scrollIntoView();
  };

  if (form) {
    form.hidden = false;
    form.addEventListener('submit', (event) => event.preventDefault());
    form.addEventListener('reset', () => setTimeout(() => { query.value = ''; filter(); remember(); }));
    query.addEventListener('input', () => { filter(); remember(); });
    for (const select of all('select', form)) select.addEventListener('change', () => change(select.dataset.key, select.value));
  }
  if (different) different.addEventListener('change', () => change('is', different.checked ? 'different' : ''));
  addEventListener('hashchange', follow);
  follow();

  const notice = one('#notice');
  const copy = async (text) => {
    try {
      await navigator.clipboard.writeText(text);
      return true;
    } catch {
      const area = document.createElement('textarea');
      area.value = text;
      document.body.append(area);
      area.select();
      const done = document.execCommand('copy');
      area.remove();
      return done;
    }
  };
  for (const block of all('pre[data-copy]')) {
    const button = document.createElement('button');
    button.type = 'button';
    button.className = 'copy';
    button.textContent = 'Copy';
    button.setAttribute('aria-label', `Copy ${block.dataset.copy}`);
    button.addEventListener('click', async () => {
      const done = await copy(block.textContent);
      notice.textContent = done ? `Copied ${block.dataset.copy}.` : 'This browser does not let the page copy: select the text.';
      button.textContent = done ? 'Copied' : 'Not copied';
      setTimeout(() => { button.textContent = 'Copy'; notice.textContent = ''; }, 2000);
    });
    block.before(button);
  }
})();
