import { automatonOf, combine, words } from "../generators/regex/automaton.ts";

const take = (g: any, n: number) => {
  const o = [];
  for (const x of g) {
    o.push(x);
    if (o.length >= n) break;
  }
  return o;
};
for (const p of [
  "^rpl_[A-Za-z0-9]{1,64}$",
  "^0\\.\\d+$",
  "^(human|agent|system):.+$",
  "^https://.+",
  "^[a-z0-9]+(-[a-z0-9]+)*$",
  "^(?!x)a.*\\bfoo",
  "^(bc1p|tb1p)[a-z0-9]{58}$",
  "",
  "(a)\\1",
  "^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}(\\.\\d+)?(Z|[+-]\\d{2}:\\d{2})$",
  "^[a-zA-Z]{1,8}(-[a-zA-Z0-9]{1,8})*$",
  "^[A-Za-z_][A-Za-z0-9_.-]{0,255}$",
  "^(a+)+$",
]) {
  const t = Date.now();
  const a = automatonOf(p);
  console.log(
    p,
    a ? [...a.nodes()].length : undefined,
    Date.now() - t,
    "ms",
    a ? take(words(a, 0, 1000), 4) : "",
    JSON.stringify(a ? take(words(combine([], [p])!, 0, 100), 4) : ""),
    a ? take(words(a, 12, 1000), 2) : "",
  );
}
