import { style } from '../../../reports/write/html/style.ts';

/** The style of the page: that of reports, with the parts that only this page has. */
export const pageStyle = `${style}
header { background: var(--raised); border-bottom: 1px solid var(--line); padding: 1rem 0 .8rem; }
header h1 { font-size: 1.5rem; }
#clock { font-variant-numeric: tabular-nums; }
.board { display: grid; grid-template-columns: minmax(17rem, 22rem) minmax(0, 1fr); gap: 0 2rem; align-items: start; }
.board h2 { margin-top: 1.6rem; }
.acts { position: sticky; top: 3rem; max-height: calc(100vh - 3rem); overflow-y: auto; padding: 0 .25rem 1.5rem; }
.acts form { border: 1px solid var(--line); border-radius: 8px; padding: .6rem .8rem; margin: 0 0 .7rem; }
.acts details > form { border: 0; padding: .3rem 0; margin: 0; }
.acts > details { border: 1px solid var(--line); border-radius: 8px; padding: .5rem .8rem; margin: 0 0 .7rem; }
.acts label { display: block; color: var(--quiet); font-size: .85rem; font-weight: 600; margin: .35rem 0 .1rem; }
.acts :is(input, select, textarea) { display: block; width: 100%; font: inherit; color: inherit; background: var(--ground); border: 1px solid var(--quiet); border-radius: 6px; padding: .3rem .5rem; }
#customer { margin-bottom: .8rem; }
.acts textarea { resize: vertical; min-height: 2.4rem; }
.acts textarea.code { font: .86em/1.5 ui-monospace, Menlo, Consolas, monospace; }
.steps button, .acts button { margin: .4rem .25rem 0 0; }
.acts button[type=submit] { background: var(--link); color: var(--ground); border-color: var(--link); font-weight: 600; }
.status { position: fixed; z-index: 2; left: 1rem; right: 1rem; bottom: 1rem; width: fit-content; max-width: 60rem; margin: 0 auto; padding: .4rem .9rem; background: var(--raised); border: 1px solid var(--tone, var(--line)); border-radius: 8px; box-shadow: 0 2px 12px var(--shade); }
.status:empty { display: none; }
.list { list-style: none; padding: 0; margin: 0; }
.list > li { margin: 0 0 .7rem; }
.list.lines { max-height: 24rem; overflow-y: auto; border: 1px solid var(--line); border-radius: 8px; padding: .5rem .8rem; font-size: .9rem; }
.list.lines > li { margin: 0 0 .2rem; }
.list.inline > li { display: inline-block; margin: 0 1.2rem 0 0; }
.turns { list-style: none; padding: 0; }
.turn { border-left: 3px solid var(--tone, var(--line)); padding: .1rem .6rem; margin: .3rem 0; }
.turn .quiet { display: block; }
.turn.customer { --tone: var(--advice); } .turn.agent { --tone: var(--pass); } .turn.team { --tone: var(--warn); }
.verdict-line { display: flex; flex-wrap: wrap; gap: .1rem .6rem; align-items: baseline; margin: 0; }
.verdict-line button { margin-left: auto; }
.list .exchange { margin: .2rem 0 0; }
.board .messages { grid-template-columns: 1fr; }
@media (max-width: 60rem) {
  .board { grid-template-columns: minmax(0, 1fr); }
  .acts { position: static; max-height: none; }
}
`;
