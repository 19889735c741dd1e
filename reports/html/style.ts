/** The page's style. Colours reach 4.5:1 on their ground in both schemes; a test measures it. */
export const style = `
:root {
  color-scheme: light dark;
  --ground: #ffffff; --raised: #f5f6f8; --line: #d5d9df; --text: #1a1e24; --quiet: #565e69; --link: #0b57b0;
  --fail: #b3261e; --warn: #7d4e00; --advice: #0b57b0; --pass: #1a6b32; --grey: #565e69; --over-text: #ffffff;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ground: #14171b; --raised: #1e2228; --line: #3a4049; --text: #e7e9ec; --quiet: #a6aeb9; --link: #8ab4f8;
    --fail: #ff8f85; --warn: #f2b84e; --advice: #8ab4f8; --pass: #7fd18c; --grey: #a6aeb9; --over-text: #14171b;
  }
}
* { box-sizing: border-box; }
html { scroll-padding-top: 1rem; -webkit-text-size-adjust: 100%; }
body { margin: 0; background: var(--ground); color: var(--text); font: 16px/1.5 system-ui, -apple-system, 'Segoe UI', sans-serif; }
.page { max-width: 72rem; margin: 0 auto; padding: 0 1.25rem 3rem; }
h1, h2, h3, h4 { line-height: 1.25; margin: 0; overflow-wrap: anywhere; }
h2 { font-size: 1.4rem; margin: 2.75rem 0 .75rem; }
h3 { font-size: 1.05rem; margin: 1.5rem 0 .6rem; }
h4 { font-size: 1rem; }
p { margin: .4rem 0; overflow-wrap: anywhere; }
a { color: var(--link); }
:focus-visible { outline: 2px solid var(--link); outline-offset: 2px; }
code, pre { font: .86em/1.5 ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; overflow-wrap: anywhere; unicode-bidi: isolate; }
pre { margin: .3rem 0; padding: .6rem .75rem; background: var(--raised); border: 1px solid var(--line); border-radius: 6px; white-space: pre-wrap; max-height: 32rem; overflow: auto; }
ul { margin: .4rem 0; padding-left: 1.2rem; }
dl, dd { margin: 0; }
.quiet { color: var(--quiet); font-size: .9rem; }
.count { color: var(--quiet); font-weight: 400; }
.label, dt { color: var(--quiet); font-size: .85rem; font-weight: 600; margin: .6rem 0 0; }
.skip { position: absolute; left: -99rem; }
.skip:focus { left: 1rem; top: .5rem; background: var(--ground); padding: .25rem .5rem; }

.verdict { border-top: 8px solid var(--tone); background: var(--raised); border-bottom: 1px solid var(--line); padding: 1.75rem 0 1.5rem; }
.verdict .page { padding-bottom: 0; }
.verdict h1 { font-size: 2rem; color: var(--tone); }
.verdict h1::first-letter { text-transform: uppercase; }
.verdict .name { margin: 0; }
.verdict .why { font-size: 1.15rem; }
.verdict .partial { border-left: 4px solid var(--warn); padding-left: .75rem; }
.verdict.conformant { --tone: var(--pass); }
.verdict.conformant-with-warnings { --tone: var(--warn); }
.verdict.non-conformant, .verdict.incomplete { --tone: var(--fail); }
nav ul, .counts { list-style: none; padding: 0; margin: .75rem 0 0; display: flex; flex-wrap: wrap; gap: .25rem 1.1rem; }
.fail { --tone: var(--fail); } .blocked { --tone: var(--fail); } .warn { --tone: var(--warn); } .advice { --tone: var(--advice); }
.pass { --tone: var(--pass); } .not-exercised, .unobservable, .not-selected, .not-applicable { --tone: var(--grey); }
.counts li, strong.fail { color: var(--tone); }
.mark { color: var(--tone); font-weight: 600; font-size: .9rem; white-space: nowrap; }
.level { font-weight: 600; }

.finding { border: 1px solid var(--line); border-left: 5px solid var(--tone); border-radius: 6px; padding: .9rem 1.1rem; margin: 0 0 1rem; }
.says { font-size: 1.02rem; white-space: pre-wrap; }
.pair { display: grid; grid-template-columns: 1fr 1fr; gap: .75rem; }
.pair > div { min-width: 0; }
.advice-list > div { display: grid; grid-template-columns: 9rem 1fr; gap: .25rem .75rem; margin-top: .35rem; }
.advice-list dt { margin: .1rem 0 0; }
.advice-list dd { overflow-wrap: anywhere; white-space: pre-wrap; }
.command { user-select: all; }
.same { border-left: 3px solid var(--tone); background: var(--raised); padding: .3rem .75rem; margin: .75rem 0; }
.others li { margin: .5rem 0; }
details { margin: .5rem 0; }
summary { cursor: pointer; overflow-wrap: anywhere; }
.exchange, .reason { border: 1px solid var(--line); border-radius: 6px; padding: .45rem .75rem; }
.message .label { margin-top: .75rem; }

.cards { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(20rem, 100%), 1fr)); gap: 1rem; }
.card { border: 1px solid var(--line); border-radius: 6px; padding: .9rem 1.1rem; min-width: 0; }
.card h3 { margin: 0; }
.address { margin: .1rem 0 .6rem; }
svg { display: block; }
.verdicts { border-radius: 3px; }
.verdicts rect { fill: var(--tone); stroke: var(--ground); stroke-width: 1.5; }
.verdicts .blocked { fill-opacity: .6; }
.verdicts .not-exercised { fill-opacity: .55; } .verdicts :is(.unobservable, .not-selected, .not-applicable) { fill-opacity: .3; }
.track { fill: var(--line); }
.connect { fill: var(--grey); } .waiting { fill: var(--advice); } .receiving { fill: var(--pass); }
.limit { fill: var(--text); }
.within { fill: var(--advice); fill-opacity: .55; } .over { fill: var(--fail); }

table { border-collapse: collapse; width: 100%; font-size: .93rem; }
caption { text-align: left; color: var(--quiet); padding-bottom: .3rem; }
th, td { text-align: left; vertical-align: top; padding: .5rem .6rem; border-bottom: 1px solid var(--line); overflow-wrap: anywhere; }
thead th { color: var(--quiet); font-size: .85rem; }
tbody th { font-weight: 400; }
td.number { white-space: nowrap; font-variant-numeric: tabular-nums; }
.strip { width: 32%; }
#requirements table { table-layout: fixed; }
#requirements :is(th, td):nth-child(1) { width: 8.5rem; } #requirements :is(th, td):nth-child(3) { width: 5rem; }
#requirements :is(th, td):nth-child(4) { width: 10rem; } #requirements :is(th, td):nth-child(5) { width: 30%; }
#requirements td:nth-child(5) { white-space: pre-wrap; }
.scroll { overflow-x: auto; }
.filter { display: flex; flex-wrap: wrap; gap: .5rem 1rem; align-items: end; }
.filter[hidden] { display: none; }
.filter input, .filter select { font: inherit; color: inherit; background: var(--ground); border: 1px solid var(--quiet); border-radius: 4px; padding: .3rem .5rem; }
.filter output { color: var(--quiet); font-size: .9rem; padding: .3rem 0; }
footer { margin-top: 3rem; border-top: 1px solid var(--line); padding-top: .75rem; }

.play { table-layout: fixed; }
.play :is(th, td) { padding: .3rem .6rem; }
.play :is(th, td):nth-child(1) { width: 6.5rem; text-align: right; } .play :is(th, td):nth-child(2) { width: 5rem; }
.play .who { font-weight: 600; }
.play .said { white-space: pre-wrap; }
.play .broke > td { background: var(--raised); border-bottom-color: var(--fail); }
.play .broke > td:first-child { box-shadow: inset 4px 0 var(--fail); }
.play .here { display: block; color: var(--fail); }

@media (max-width: 44rem) {
  .play :is(th, td) { padding: .3rem .3rem; }
  .play :is(th, td):nth-child(1) { width: 4.8rem; } .play :is(th, td):nth-child(2) { width: 4.4rem; }
  .verdict h1 { font-size: 1.6rem; }
  .page { padding-left: .9rem; padding-right: .9rem; }
  .pair, .advice-list > div { grid-template-columns: 1fr; gap: 0; }
  .advice-list dt { margin-top: .35rem; }
  .stack thead { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
  .stack, .stack tbody, .stack tr, .stack td, .stack tbody th { display: block; width: auto; }
  .stack tr[hidden] { display: none; }
  .stack tr { border-bottom: 1px solid var(--line); padding: .6rem 0; }
  .stack td, .stack tbody th { border: 0; padding: .1rem 0; }
  #requirements .stack :is(th, td):nth-child(n) { width: auto; }
  .stack td[data-label]::before { content: attr(data-label) ': '; color: var(--quiet); font-size: .85rem; }
  .stack .strip { width: auto; padding-top: .3rem; }
  .stack .strip::before { display: block; }
}
@media print {
  html { font-size: 10px; }
  body { font-size: 1rem; }
  .filter, nav, .skip { display: none; }
  .card, tr, .message { break-inside: avoid; }
  .finding > details:not(.exchange)::details-content { content-visibility: visible; block-size: auto; }
  h2, h3, h4 { break-after: avoid; }
  pre { max-height: none; overflow: visible; }
  * { print-color-adjust: exact; }
}
`;
