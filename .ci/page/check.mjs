// Opens the pages of a folder in Chromium, as readers do. .ci/html runs it.
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import puppeteer from 'puppeteer-core';

const folder = process.argv[2];
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const address = (name, hash = '') => `${pathToFileURL(`${folder}/${name}.html`)}${hash}`;
const browser = await puppeteer.launch({
  executablePath: process.env.CHROMIUM, headless: true, args: ['--no-sandbox', '--disable-gpu'],
});

// A page that may load nothing but itself, and complain of nothing.
const open = async (name, { hash = '', width = 1200, height = 900, dark = false, script = true } = {}) => {
  const page = await browser.newPage();
  await page.setViewport({ width, height, isMobile: width < 500 });
  await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: dark ? 'dark' : 'light' }]);
  await page.setJavaScriptEnabled(script);
  page.on('request', (request) => assert.match(request.url(), /^file:.*\.html/, 'it loads nothing'));
  page.on('pageerror', (error) => assert.fail(`${name}: ${error}`));
  page.on('console', (message) => assert.notEqual(message.type(), 'error', `${name}: ${message.text()}`));
  // The time that the page's own thread computed: what else the machine does is not in it.
  const session = await page.createCDPSession();
  await session.send('Performance.enable', { timeDomain: 'threadTicks' });
  await page.goto(address(name, hash), { waitUntil: 'load' });
  const { metrics } = await session.send('Performance.getMetrics');
  page.took = metrics.find((metric) => metric.name === 'TaskDuration').value * 1000;
  return page;
};
const rows = (page) => page.$$eval('.chapter:not([hidden]) tbody > tr:not([hidden])', (found) => found.map((row) => row.dataset.s));
const shown = (page) => page.$eval('#matches', (element) => element.textContent);
const shot = (page, name, whole = true) => page.screenshot({ path: `${folder}/${name}.png`, fullPage: whole });
const step = async (title, check) => {
  await check();
  console.log(`ok: ${title}`);
};

try {
  await step('it opens in a second', async () => {
    for (const name of ['single', 'several', 'failing', 'killed', 'compared']) {
      let took = Infinity;
      // The first page also starts what all of them need.
      for (let tries = 0; tries < 10 && took >= 1000; tries++) {
        const page = await open(name);
        took = Math.min(took, page.took);
        await page.close();
      }
      console.log(`  ${name}: ${Math.round(took)} ms, ${readFileSync(`${folder}/${name}.html`).length} bytes`);
      assert.ok(took < 1000, `${name}: ${took} ms`);
    }
  });

  await step('the address filters', async () => {
    const page = await open('single', { hash: '#status:known%20level:must' });
    const known = await rows(page);
    assert.ok(known.length > 5 && known.every((status) => status === 'known'), `${known}`);
    assert.match(await shown(page), new RegExp(`^${known.length} of \\d+ requirements$`));
    await page.evaluate(() => { location.hash = '#chapter:pruning+-status:pass'; });
    await page.waitForFunction(() => document.querySelector('#query').value === 'chapter:pruning -status:pass');
    const pruning = await rows(page);
    assert.ok(pruning.length > 0 && !pruning.includes('pass'), `${pruning}`);
    await page.close();
  });

  await step('what is typed and chosen is kept in the address', async () => {
    const page = await open('single');
    await page.type('#query', 'enum');
    assert.equal(await page.evaluate(() => location.hash), '#enum');
    const some = (await rows(page)).length;
    await page.select('select[data-key=status]', 'known');
    assert.equal(await page.evaluate(() => location.hash), '#enum+status:known');
    assert.ok((await rows(page)).length < some);
    await page.reload();
    assert.equal(await page.$eval('#query', (element) => element.value), 'enum status:known');
    assert.equal(await page.$eval('select[data-key=status]', (element) => element.value), 'known');
    await page.click('#filter button[type=reset]');
    await page.waitForFunction(() => location.hash === '' && document.querySelectorAll('tr[hidden]').length === 0);
    await page.close();
  });

  await step('is:different shows where runs differ', async () => {
    const page = await open('several', { hash: '#is:different' });
    const different = await rows(page);
    assert.ok(different.length > 5 && different.every((row) => new Set(row.split(' ')).size > 1), `${different}`);
    assert.ok(await page.$eval('#different', (box) => box.checked));
    await shot(page, 'several-different');
    await page.click('#different');
    assert.ok((await rows(page)).length > 200, 'a click shows all again');
    await page.close();
  });

  await step('a link opens the failure and its requirement', async () => {
    const page = await open('failing', { hash: '#f1-2' });
    assert.ok(await page.$eval('#f1-2', (failure) => failure.open));
    await page.click('#f1-2 blockquote a');
    await page.waitForFunction(() => {
      const place = document.getElementById(location.hash.slice(1));
      return place.closest('.chapter').open && place.querySelector('details').open;
    });
    await page.close();
  });

  await step('commands can be copied, and that is said', async () => {
    const page = await open('failing');
    await browser.defaultBrowserContext().overridePermissions(new URL(address('failing')).origin, []).catch(() => {});
    await page.evaluate(() => {
      navigator.clipboard.writeText = async (text) => { window.copied = text; };
    });
    const before = await page.$eval('#f1-1 pre[data-copy="the command"]', (block) => block.textContent);
    await page.evaluate(() => document.querySelector('#f1-1 pre[data-copy="the command"]').previousElementSibling.click());
    await page.waitForFunction(() => document.querySelector('#notice').textContent === 'Copied the command.');
    assert.equal(await page.evaluate(() => window.copied), before);
    assert.match(before, /^crdible (replay|run) /);
    await page.close();
  });

  await step('a killed run is incomplete', async () => {
    const page = await open('killed');
    assert.match(await page.$eval('.verdict', (element) => element.textContent), /incomplete/);
    await page.close();
  });

  await step('a comparison shows both sides, and copies', async () => {
    const page = await open('compared', { hash: '#f1-1' });
    assert.match(await page.$eval('.verdict', (element) => element.textContent), /different/);
    const captions = await page.$$eval('#f1-1 figcaption', (found) => found.map((caption) => caption.textContent));
    for (const side of ['A', 'B']) assert.ok(captions.some((text) => text.startsWith(`requests to ${side} `)), `${captions}`);
    assert.ok((await page.$$('#f1-1 .copy')).length >= 4, 'a button for each block');
    await page.close();
  });

  await step('without script everything is there', async () => {
    const page = await open('failing', { script: false });
    const visible = await page.$$eval('tbody > tr', (found) => found.filter((row) => !row.hidden).length);
    assert.ok(visible > 200 && await page.$eval('#filter', (form) => form.hidden));
    assert.equal((await page.$$('.copy')).length, 0, 'no button that does nothing');
    await page.click('#f1-2 > summary');
    assert.ok(await page.$eval('#f1-2', (failure) => failure.open));
    await page.close();
  });

  await step('on a phone nothing is wider than the page', async () => {
    for (const name of ['single', 'several', 'failing', 'compared']) {
      const page = await open(name, { width: 360, height: 740 });
      await page.$$eval('details', (found) => found.forEach((details) => { details.open = true; }));
      const wide = await page.evaluate(() => document.documentElement.scrollWidth);
      assert.ok(wide <= 360, `${name}: ${wide} px`);
      await page.reload();
      await shot(page, `${name}-phone`);
      await page.close();
    }
  });

  await step('on paper failures and chapters are open', async () => {
    const page = await open('failing');
    const pdf = await page.pdf({ format: 'A4' });
    writeFileSync(`${folder}/failing.pdf`, pdf);
    assert.ok(pdf.length > 50_000, `${pdf.length} bytes`);
    await page.close();
  });

  await step('axe has no serious finding', async () => {
    for (const dark of [false, true]) {
      for (const name of ['single', 'several', 'failing', 'compared']) {
        const page = await open(name, { dark });
        await page.$$eval('.chapter, .failure, .run details', (found) => found.forEach((details) => { details.open = true; }));
        // Not added as an element: the page lets no other script in.
        await page.evaluate(axe);
        const { violations } = await page.evaluate(() => axe.run({ resultTypes: ['violations'] }));
        const lines = violations.map(({ impact, id, nodes }) => `${impact} ${id} ${nodes.length}: ${nodes[0].html.slice(0, 200)}`);
        if (lines.length) console.log(`  ${name}: ${lines.join('\n  ')}`);
        assert.ok(!violations.some(({ impact }) => ['serious', 'critical'].includes(impact)), `${name}: ${lines.join('\n')}`);
        await page.reload();
        await shot(page, `${name}-${dark ? 'dark' : 'light'}`);
        await page.close();
      }
    }
  });
} finally {
  await browser.close();
}
