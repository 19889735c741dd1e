/** Colours, text and common rules. Colours have a contrast of 4.5:1 or more; a test measures it. */
export const styleBase = `
:root {
  color-scheme: light dark;
  --ground: #ffffff; --raised: #f5f6f8; --line: #d5d9df; --text: #1a1e24; --quiet: #565e69; --link: #0b57b0;
  --fail: #b3261e; --warn: #7d4e00; --advice: #0b57b0; --pass: #1a6b32; --grey: #565e69; --marked: #ffe2de; --shade: #1a1e2414;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ground: #14171b; --raised: #1e2228; --line: #3a4049; --text: #e7e9ec; --quiet: #a6aeb9; --link: #8ab4f8;
    --fail: #ff8f85; --warn: #f2b84e; --advice: #8ab4f8; --pass: #7fd18c; --grey: #a6aeb9; --marked: #5c211c; --shade: #00000066;
  }
}
* { box-sizing: border-box; }
html { scroll-padding-top: 4rem; -webkit-text-size-adjust: 100%; }
body { margin: 0; background: var(--ground); color: var(--text); font: 16px/1.5 system-ui, -apple-system, 'Segoe UI', sans-serif; }
.page { max-width: 76rem; margin: 0 auto; padding-left: 1.5rem; padding-right: 1.5rem; }
main { display: block; }
h1, h2, h3, h4 { line-height: 1.25; margin: 0; overflow-wrap: anywhere; }
h2 { font-size: 1.45rem; margin: 3rem 0 .8rem; }
h3 { font-size: 1.1rem; margin: 1.6rem 0 .7rem; }
h4 { font-size: 1.02rem; }
p { margin: .4rem 0; overflow-wrap: anywhere; }
a { color: var(--link); }
:focus-visible { outline: 2px solid var(--link); outline-offset: 2px; border-radius: 3px; }
:target { scroll-margin-top: 4rem; }
code, pre { font: .86em/1.5 ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; overflow-wrap: anywhere; unicode-bidi: isolate; }
pre { margin: .3rem 0; padding: .6rem .75rem; background: var(--raised); border: 1px solid var(--line); border-radius: 6px; white-space: pre-wrap; }
pre b { font-weight: 600; color: var(--quiet); }
pre.tall { max-height: 34rem; overflow: auto; }
mark { background: var(--marked); color: inherit; box-shadow: 0 0 0 2px var(--marked); border-radius: 2px; outline: 1px solid var(--fail); outline-offset: 2px; }
ul, ol { margin: .4rem 0; padding-left: 1.3rem; }
li { overflow-wrap: anywhere; }
dl, dd { margin: 0; }
details { margin: .5rem 0; }
summary { cursor: pointer; overflow-wrap: anywhere; }
button { font: inherit; font-size: .88rem; color: var(--link); background: var(--ground); border: 1px solid var(--line); border-radius: 6px; padding: .2rem .7rem; cursor: pointer; }
button:hover { border-color: var(--link); }
.quiet { color: var(--quiet); font-size: .9rem; }
.count { color: var(--quiet); font-weight: 400; }
.label, dt { color: var(--quiet); font-size: .85rem; font-weight: 600; margin: .6rem 0 0; }
.skip { position: absolute; left: -99rem; }
.skip:focus { left: 1rem; top: .5rem; background: var(--ground); padding: .25rem .5rem; z-index: 2; }
.unseen { position: absolute; width: 1px; height: 1px; margin: 0; overflow: hidden; clip-path: inset(50%); }
.fail { --tone: var(--fail); } .blocked { --tone: var(--fail); } .warn { --tone: var(--warn); } .advice { --tone: var(--advice); }
.pass { --tone: var(--pass); } .not-exercised, .unobservable, .not-selected, .not-applicable { --tone: var(--grey); }
.counts { list-style: none; padding: 0; display: flex; flex-wrap: wrap; gap: .25rem 1.1rem; }
.counts li, strong.fail { color: var(--tone); }
.mark { color: var(--tone); font-weight: 600; font-size: .92em; white-space: nowrap; }
.level { font-weight: 600; }
.badge { display: inline-block; border: 1px solid var(--tone, var(--quiet)); color: var(--tone, var(--quiet)); border-radius: 1rem; padding: 0 .6rem; font-size: .82rem; font-weight: 600; }
.badge.new { --tone: var(--fail); } .badge.known { --tone: var(--warn); }

table { border-collapse: collapse; width: 100%; font-size: .93rem; }
caption { text-align: left; color: var(--quiet); padding-bottom: .3rem; }
th, td { text-align: left; vertical-align: top; padding: .5rem .6rem; border-bottom: 1px solid var(--line); overflow-wrap: anywhere; }
thead th { overflow-wrap: break-word; }
thead th { color: var(--quiet); font-size: .85rem; }
tbody th { font-weight: 400; }
td.number { white-space: nowrap; font-variant-numeric: tabular-nums; }
.scroll { overflow-x: auto; }
`;
