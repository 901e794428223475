/** The style sheet of the page, light and dark. */
export const css = `
:root { color-scheme: light dark; --ink: #1c1f23; --soft: #5b636d; --page: #fbfbf9; --card: #fff; --line: #d9dce0;
  --good: #1a7f4b; --bad: #b3261e; --mid: #8a5a00; --mark: #ffe08a; --mark-ink: #1c1f23; }
@media (prefers-color-scheme: dark) { :root { --ink: #e6e8ea; --soft: #a3abb4; --page: #14171a; --card: #1c2024; --line: #363c43;
  --good: #5ccf93; --bad: #ff8a80; --mid: #f0c060; --mark: #6b5200; --mark-ink: #fff; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--page); color: var(--ink); font: 1rem/1.5 system-ui, sans-serif; }
header, main, footer { max-width: 75rem; margin: 0 auto; padding: 1rem; }
h1 { font-size: 1.6rem; line-height: 1.25; margin: 1rem 0 .25rem; } h2 { font-size: 1.3rem; margin: 2.5rem 0 .5rem; } h3 { font-size: 1.05rem; margin: 1.5rem 0 .5rem; }
h4 { font-size: 1rem; margin: 0; font-weight: 600; }
a { color: inherit; } :focus-visible { outline: 2px solid currentColor; outline-offset: 2px; }
nav ul { display: flex; flex-wrap: wrap; gap: .25rem 1rem; list-style: none; margin: .5rem 0; padding: 0; }
.soft { color: var(--soft); } .good { color: var(--good); } .bad { color: var(--bad); } .mid { color: var(--mid); }
.wide { overflow-x: auto; } table { border-collapse: collapse; margin: .5rem 0 1rem; font-variant-numeric: tabular-nums; }
caption { text-align: left; font-weight: 600; padding: .25rem 0; }
th, td { padding: .25rem .75rem; border-bottom: 1px solid var(--line); text-align: right; white-space: nowrap; } th:first-child { text-align: left; }
td.zero { color: var(--soft); }
details { background: var(--card); border: 1px solid var(--line); border-radius: .4rem; margin: .4rem 0; }
details details { margin: .5rem .75rem; }
summary { cursor: pointer; padding: .5rem .75rem; } summary > * { display: inline; } details > p, details > dl, details > pre, details > ul { margin: .5rem .75rem; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .25rem 1rem; } dt { color: var(--soft); } dd { margin: 0; overflow-wrap: anywhere; }
code, pre { font: .85rem/1.45 ui-monospace, monospace; } code { overflow-wrap: anywhere; }
pre { overflow-x: auto; padding: .75rem; border: 1px solid var(--line); border-radius: .3rem; background: var(--page); }
mark { background: var(--mark); color: var(--mark-ink); border-radius: .15rem; } del { color: var(--bad); } .replay { user-select: all; }
ul.ids { columns: 24rem; font: .8rem/1.5 ui-monospace, monospace; overflow-wrap: anywhere; padding-left: 1.25rem; }
@media (max-width: 40rem) { dl { grid-template-columns: 1fr; } dd { margin-bottom: .5rem; } }
@media print { details { border: 0; } }
`;
