/** The parts of the page, from top to bottom. */
export const styleSections = `
.verdict { border-top: 10px solid var(--tone); background: var(--raised); border-bottom: 1px solid var(--line); padding: 1.75rem 0 1.25rem; }
.verdict h1 { font-size: 2.4rem; color: var(--tone); letter-spacing: -.01em; }
.verdict h1::first-letter { text-transform: uppercase; }
.verdict .name { margin: 0; font-weight: 600; }
.verdict .why { font-size: 1.15rem; }
.verdict .why a.mark { margin-right: .4rem; }
.note { border-left: 4px solid var(--line); padding-left: .75rem; }
.note.partial { border-left-color: var(--warn); }
.verdict.conformant { --tone: var(--pass); }
.verdict.conformant-with-warnings, .verdict.partial { --tone: var(--warn); }
.verdict.non-conformant, .verdict.incomplete { --tone: var(--fail); }
.totals { gap: .6rem; margin: 1.1rem 0; }
.totals li { background: var(--ground); border: 1px solid var(--line); border-bottom: 3px solid var(--tone); border-radius: 6px; padding: .45rem .9rem; font-size: .93rem; }
.totals strong { font-size: 1.5rem; line-height: 1.2; margin-right: .15rem; font-variant-numeric: tabular-nums; }
.first { background: var(--ground); border: 1px solid var(--line); border-radius: 8px; padding: .8rem 1.1rem; margin: 1rem 0; }
.first h2 { font-size: 1.05rem; margin: 0 0 .3rem; }
.first li { margin: .3rem 0; }
.run-facts { margin: 1rem 0; }
.run-facts > div { display: grid; grid-template-columns: 8.5rem 1fr; gap: .1rem .75rem; padding: .15rem 0; }
.run-facts dt { margin: .1rem 0 0; }
.run-facts dd { min-width: 0; overflow-wrap: anywhere; }
.run-facts ul { list-style: none; margin: 0; padding: 0; }
.run-facts li span { color: var(--quiet); font-size: .9rem; margin-left: .4rem; }
meter { width: 8rem; height: .8rem; vertical-align: middle; margin-right: .5rem; }
nav.sections { position: sticky; top: 0; z-index: 1; background: var(--ground); border-bottom: 1px solid var(--line); }
nav.sections ul { list-style: none; display: flex; gap: .2rem 1.4rem; margin-top: 0; margin-bottom: 0; padding-top: .6rem; padding-bottom: .6rem; overflow-x: auto; }
nav.sections a { white-space: nowrap; text-decoration: none; font-weight: 600; font-size: .93rem; }
nav.sections a:hover { text-decoration: underline; }
main h2 { padding-top: .3rem; }

.finding { border: 1px solid var(--line); border-left: 5px solid var(--tone); border-radius: 8px; margin: 0 0 .8rem; padding: .8rem 1.1rem; }
.card-body { margin: 0; }
.card-body > summary { list-style: none; position: relative; padding-left: 1.5rem; }
.card-body > summary::-webkit-details-marker { display: none; }
.card-body > summary::before { content: ''; position: absolute; left: .25rem; top: .4rem; width: .45rem; height: .45rem; border: solid var(--quiet); border-width: 0 2px 2px 0; transform: rotate(-45deg); }
.card-body[open] > summary::before { transform: rotate(45deg); }
.facts, .brief { display: block; margin-top: .15rem; }
.brief { white-space: pre-wrap; font-size: .95rem; }
.card-body[open] > summary .brief { display: none; }
.says { font-size: 1.02rem; white-space: pre-wrap; }
.pair { display: grid; grid-template-columns: 1fr 1fr; gap: .9rem; }
.pair > div { min-width: 0; }
.pair .expected pre { border-left: 4px solid var(--pass); } .pair .received pre { border-left: 4px solid var(--fail); }
.advice-list > div { display: grid; grid-template-columns: 8.5rem 1fr; gap: .25rem .75rem; margin-top: .45rem; }
.advice-list dt { margin: .1rem 0 0; }
.advice-list dd { overflow-wrap: anywhere; white-space: pre-wrap; min-width: 0; }
.command { display: flex; gap: .6rem; align-items: start; justify-content: space-between; background: var(--raised); border: 1px solid var(--line); border-radius: 6px; padding: .35rem .35rem .35rem .7rem; }
.command code { padding-top: .15rem; min-width: 0; }
.copy { flex: none; min-width: 4.8rem; }
.spread { color: var(--text); margin-left: .4rem; }
.consequences, .samples { border: 1px solid var(--line); border-radius: 6px; padding: .4rem .8rem; margin: .6rem 0; }
.consequences > summary::first-letter { text-transform: uppercase; }
.tabs { display: flex; flex-wrap: wrap; gap: .3rem; margin: .6rem 0; }
.tabs input { position: absolute; opacity: 0; }
.tabs label { order: 1; border: 1px solid var(--line); border-radius: 6px; padding: .15rem .7rem; font-size: .9rem; cursor: pointer; }
.tabs input:checked + label { border-color: var(--link); color: var(--link); font-weight: 600; }
.tabs input:focus-visible + label { outline: 2px solid var(--link); outline-offset: 2px; }
.tabs pre { order: 2; width: 100%; display: none; white-space: pre; overflow-x: auto; }
.tabs input:checked + label + pre { display: block; }
.curl { margin: .6rem 0 .2rem; }
.curl code { white-space: pre-wrap; }
.legend { list-style: none; padding: 0; display: flex; flex-wrap: wrap; gap: .2rem 1.2rem; color: var(--quiet); font-size: .9rem; }
.legend li { display: flex; align-items: center; gap: .35rem; }
.legend svg { flex: none; }
.folded { border: 1px solid var(--line); border-radius: 6px; padding: .5rem .8rem; }
.others li, .checks > li { margin: .5rem 0; }
.here { color: var(--fail); }
.unfold { margin: 0 0 .5rem; }

.exchange, .reason { border: 1px solid var(--line); border-radius: 6px; padding: .5rem .8rem; }
#exchanges .exchange, .exchanges .exchange, #further-list .exchange, .reason { margin: .3rem 0; }
.exchange.broken { border-left: 4px solid var(--fail); }
.messages { display: grid; grid-template-columns: 1fr 1fr; gap: 0 1.2rem; }
.message { min-width: 0; }
.message .label { margin-top: .75rem; }
.log i { font-style: normal; color: var(--quiet); }
.log b { color: var(--fail); }
.times { list-style: none; padding: 0; display: flex; flex-wrap: wrap; gap: .1rem 1.3rem; font-size: .9rem; color: var(--quiet); }
.times i { display: inline-block; width: .7rem; height: .7rem; border-radius: 2px; margin-right: .4rem; background: var(--tone); }
.connect { --tone: var(--grey); } .waiting { --tone: var(--advice); } .receiving { --tone: var(--pass); } .times .limit { --tone: var(--text); width: .25rem; }

.cards { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(20rem, 100%), 1fr)); gap: 1rem; }
.card { border: 1px solid var(--line); border-radius: 8px; padding: .9rem 1.1rem; min-width: 0; }
.card h3 { margin: 0; }
.address { margin: .1rem 0 .6rem; }
.changes { grid-template-columns: repeat(auto-fill, minmax(min(14rem, 100%), 1fr)); align-items: start; }
.change { border-top: 4px solid var(--tone); }
.change.none { border-top-color: var(--line); }
.change .number { color: var(--tone, inherit); float: right; font-size: 1.4rem; }

svg { display: block; }
.verdicts, .timing { border-radius: 3px; }
.verdicts rect { fill: var(--tone); stroke: var(--ground); stroke-width: 1.5; }
.verdicts .blocked { fill-opacity: .6; }
.verdicts .not-exercised { fill-opacity: .4; } .verdicts :is(.unobservable, .not-selected, .not-applicable) { fill-opacity: .25; }
.timing rect { fill: var(--tone); } .timing .track { fill: var(--line); } .timing .limit { fill: var(--text); }
.plot { max-width: 100%; height: auto; }
.plot text { font-variant-numeric: tabular-nums; }
.plot .axis { fill: var(--quiet); stroke: none; } .plot path.axis, .plot .axis path { stroke: var(--quiet); }
.plot .name { fill: var(--text); }
.plot .track { stroke: var(--line); }
.plot .limit { stroke: var(--text); }
.plot .beyond { fill: var(--fail); }
.plot .within { fill: var(--advice); } .plot .over { stroke: var(--fail); }
.plot .median { stroke: var(--advice); fill: none; } .plot .upper { fill: var(--warn); }
.plot .answer, .plot .piece { stroke: var(--advice); }
.plot .interrupt { stroke: var(--warn); }
.plot .said { fill: var(--pass); } .plot .other { fill: var(--ground); stroke: var(--quiet); }
.plot .broken-frame { stroke: var(--fail); } .plot .broken-sign { fill: var(--fail); }
.narrow { display: none; }

#requirements table { table-layout: fixed; }
#requirements :is(th, td):nth-child(1) { width: 9.6rem; } #requirements :is(th, td):nth-child(3) { width: 5rem; }
#requirements :is(th, td):nth-child(4) { width: 10rem; } #requirements :is(th, td):nth-child(5) { width: 28%; }
#requirements tr:has(+ .more) > * { border-bottom: 0; padding-bottom: .1rem; }
#requirements .more > td { padding: 0 .6rem .5rem 10.2rem; }
#requirements .folded > table { margin-top: .5rem; }
.more details { margin: 0; }
.more summary { color: var(--quiet); font-size: .88rem; }
#requirements tr[data-outcome]:target { background: var(--raised); }
.filter { display: flex; flex-wrap: wrap; gap: .5rem 1rem; align-items: end; margin: .5rem 0 1rem; }
.filter[hidden] { display: none; }
.filter :is(input, select) { font: inherit; color: inherit; background: var(--ground); border: 1px solid var(--quiet); border-radius: 6px; padding: .3rem .5rem; max-width: 100%; }
.filter output { color: var(--quiet); font-size: .9rem; padding: .3rem 0; }
footer { margin-top: 3rem; border-top: 1px solid var(--line); padding-top: .75rem; padding-bottom: 2.5rem; }

.play { table-layout: fixed; }
.play :is(th, td) { padding: .3rem .6rem; }
.play :is(th, td):nth-child(1) { width: 6.5rem; text-align: right; } .play :is(th, td):nth-child(2) { width: 5rem; }
.play .who { font-weight: 600; }
.said { white-space: pre-wrap; }
.play .broke > td { background: var(--raised); border-bottom-color: var(--fail); }
.play .broke > td:first-child { box-shadow: inset 4px 0 var(--fail); }
.play .here { display: block; }
`;
