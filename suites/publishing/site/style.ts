/** The style sheet, for light and dark mode. It is short because every page contains it. */
export const style = `:root{color-scheme:light dark;--page:light-dark(#fdfdfb,#15171a);--raised:light-dark(#f5f5f1,#1d2024);--ink:light-dark(#1b1d20,#e7e8ea);--soft:light-dark(#5a6069,#a2a9b2);--line:light-dark(#e1e1dc,#31363c);--good:light-dark(#1b6e45,#68cf98);--bad:light-dark(#b1271d,#ff8d83);--mid:light-dark(#835600,#ecbf66);--link:light-dark(#1d4f91,#93bdf5)}
*{box-sizing:border-box}
body{margin:0;background:var(--page);color:var(--ink);font:1rem/1.6 system-ui,"Segoe UI",Arial,sans-serif;font-variant-numeric:tabular-nums}
main,footer,nav{max-width:72rem;margin:0 auto;padding:0 1.5rem}
nav{padding-block:1rem}footer{padding-block:2rem 3rem;font-size:.875rem}
h1{line-height:1.2;overflow-wrap:anywhere}h2{margin-top:2.5rem}
a{color:var(--link)}code,.digest{font-family:ui-monospace,Menlo,Consolas,monospace;font-size:.875em;overflow-wrap:anywhere}
.wide{overflow-x:auto}table{border-collapse:collapse;margin:1rem 0}caption{text-align:left;font-weight:600;padding-bottom:.25rem}
th,td{border-bottom:1px solid var(--line);padding:.35rem .75rem;text-align:left;vertical-align:top}
th:first-child{padding-left:0}thead th,td{white-space:nowrap}td ul{white-space:normal}thead th{color:var(--soft);font-weight:500}td.zero,.soft{color:var(--soft)}
.good{color:var(--good)}.bad{color:var(--bad)}.mid,.open{color:var(--mid)}
dl{display:grid;grid-template-columns:max-content 1fr;gap:.1rem 1rem;margin:.5rem 0}dt{color:var(--soft)}dd{margin:0;overflow-wrap:anywhere}
details{border-bottom:1px solid var(--line);padding:.4rem 0}td details{border:0;padding:0}summary{cursor:pointer;overflow-wrap:anywhere}
.box{background:var(--raised);border:1px solid var(--line);border-radius:.5rem;padding:.5rem 1rem;margin:1rem 0}
.legend{list-style:none;display:flex;flex-wrap:wrap;gap:.25rem 1.25rem;padding:0;margin:.25rem 0}
figure{margin:1rem 0}svg.bar{display:block;width:100%;max-width:40rem;height:.75rem}svg rect{fill:currentColor}svg text{fill:var(--soft);font-size:11px}
rect.soft{opacity:.6}rect.skipped{opacity:.25}pre{background:var(--raised);padding:.75rem;overflow-x:auto}`;
