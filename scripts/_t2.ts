import { combineTransformers, DFA, JS, NFA, Transformers, transform } from "refa";

for (const src of [
  "[^]*(?:^rpl_[A-Za-z0-9]{1,64}$)[^]*",
  "[^]*(?:^0\\.\\d+)[^]*",
  "[^]*(?:^(a+)+$)[^]*",
  "[^]*(?:(?:^|x)foo\\b)[^]*",
]) {
  const parser = JS.Parser.fromLiteral({ source: src, flags: "u" });
  const { expression, maxCharacter } = parser.parse({ assertions: "parse", backreferences: "throw" });
  for (const [n, t] of Object.entries({
    simple: combineTransformers([
      Transformers.simplify({ ignoreOrder: true }),
      Transformers.applyAssertions({ ignoreOrder: true }),
    ]),
    apply: Transformers.applyAssertions({ ignoreOrder: true }),
    all: combineTransformers([
      Transformers.applyAssertions({ ignoreOrder: true }),
      Transformers.removeUnnecessaryAssertions(),
      Transformers.inline({ ignoreOrder: true }),
      Transformers.removeDeadBranches(),
      Transformers.sortAssertions(),
      Transformers.simplify({ ignoreOrder: true }),
    ]),
  })) {
    try {
      const e = parser.parse({ assertions: "parse", backreferences: "throw" }).expression;
      const plain = transform(t as any, e, { maxPasses: 30 });
      console.log(n, JS.toLiteral(plain).source.slice(0, 200));
      NFA.fromRegex(plain, { maxCharacter }, { assertions: "throw" });
      console.log("  ok");
    } catch (e) {
      console.log(n, String(e).slice(0, 200));
    }
  }
}
