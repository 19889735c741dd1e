/** The page on a narrow screen and on paper. */
export const styleMedia = `
@media (max-width: 60rem) {
  .messages { grid-template-columns: 1fr; }
}
@media (max-width: 44rem) {
  .page { padding-left: .9rem; padding-right: .9rem; }
  .verdict h1 { font-size: 1.9rem; }
  .totals { gap: .4rem; }
  .totals li { padding: .3rem .6rem; font-size: .85rem; }
  .totals strong { font-size: 1.15rem; }
  .finding { padding: .7rem .8rem; }
  .pair, .advice-list > div, .run-facts > div { grid-template-columns: 1fr; gap: 0; }
  .advice-list dt { margin-top: .35rem; }
  .wide { display: none; } .narrow { display: block; }
  .filter label, .filter :is(input, select) { width: 100%; }
  .play :is(th, td) { padding: .3rem .3rem; }
  .play :is(th, td):nth-child(1) { width: 4.8rem; } .play :is(th, td):nth-child(2) { width: 4.4rem; }
  .stack thead { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
  .stack, .stack tbody, .stack tr, .stack td, .stack tbody th { display: block; width: auto; }
  .stack tr[hidden] { display: none; }
  .stack tr { border-bottom: 1px solid var(--line); padding: .6rem 0; }
  .stack td, .stack tbody th { border: 0; padding: .1rem 0; }
  .stack td:is(.number, [data-label='Level'], [data-label='Section']) { display: inline-block; margin-right: 1.2rem; }
  .stack tr:has(+ .more) { border-bottom: 0; padding-bottom: 0; }
  .stack .more { padding-top: .2rem; }
  #requirements .more > td { padding: 0; }
  #requirements .stack td.quiet { display: none; }
  #requirements .stack :is(th, td):nth-child(n) { width: auto; }
  .stack td[data-label]::before { content: attr(data-label) ': '; color: var(--quiet); font-size: .85rem; }
}
@media print {
  html { font-size: 10px; }
  body { font-size: 1rem; }
  .tabs input, .filter, nav, .skip, button, .unfold, #further, .curl, .smallest:has(table) pre { display: none; }
  .verdict { padding-top: .5rem; }
  .card, tr, .timeline, .first, .pair, .totals { break-inside: avoid; }
  .messages { grid-template-columns: 1fr 1fr; }
  #requirements .more { display: none; }
  th, td { padding: .25rem .6rem; }
  .verdict, pre, .command { background: none; }
  .card-body::details-content, .smallest::details-content, .consequences::details-content { content-visibility: visible; block-size: auto; }
  .card-body > summary .brief { display: none; }
  .card-body > summary { padding-left: 0; break-after: avoid; }
  .card-body > summary::before { display: none; }
  .wide { display: block; } .narrow { display: none; }
  h2, h3, h4 { break-after: avoid; }
  pre.tall { max-height: none; overflow: visible; }
  * { print-color-adjust: exact; }
}
`;
