import { _, type Ajv, type CodeKeywordDefinition, type KeywordCxt, Name } from "ajv";
import { evaluatedPropsToName } from "ajv/dist/compile/util.js";

/** Keywords that apply only some of their subschemas. */
const conditionalKeywords = ["anyOf", "oneOf", "if", "dependentSchemas", "dependencies"];

/**
 * Corrects how Ajv records evaluated members. If a branch evaluates more members, Ajv records those of earlier keywords only inside that branch, and
 * refuses them all if the branch does not apply. It also misreads an `if` that fails or has no `then`, and treats inherited names as evaluated.
 */
export function correctEvaluated(ajv: Ajv): void {
  for (const keyword of conditionalKeywords) {
    // Each instance of Ajv has its own definitions, so changing them affects no other instance.
    const definition = ajv.getKeyword(keyword) as CodeKeywordDefinition | false;
    if (definition === false) continue;
    const code = keyword === "if" ? compileIf : definition.code;
    definition.code = (context, type) => {
      const { it, gen } = context;
      if (it.props !== true && !(it.props instanceof Name)) it.props = evaluatedPropsToName(gen, it.props);
      code(context, type);
    };
  }
  ajv.opts.code.process = withoutPrototypes;
  const { code } = unevaluatedDefinition(ajv);
  unevaluatedDefinition(ajv).code = (context, type) => {
    const { it, gen } = context;
    // An object without a prototype keeps the lookup from finding inherited members.
    if (it.props instanceof Name)
      it.props = gen.const("props", _`${it.props} === true || Object.assign(Object.create(null), ${it.props})`);
    code(context, type);
  };
}

/** Matches a string literal, which is not changed, or the code that creates a record of evaluated members. */
const recordOrText = /"(?:[^"\\]|\\.)*"|\b(props\d+ ?= ?(?:props\d+ ?\|\| ?)?)\{\}/g;

/** Changes Ajv's code so that records of evaluated members have no prototype. In other objects, the name `__proto__` sets the prototype. */
function withoutPrototypes(code: string): string {
  return code.replace(recordOrText, (match: string, record: string | undefined) =>
    record === undefined ? match : `${record}Object.create(null)`,
  );
}

function unevaluatedDefinition(ajv: Ajv): CodeKeywordDefinition {
  return ajv.getKeyword("unevaluatedProperties") as CodeKeywordDefinition;
}

function compileIf(context: KeywordCxt): void {
  const { gen, parentSchema } = context;
  const [valid, conditionHolds] = [gen.let("valid", true), gen.name("_valid")];
  const withoutErrors = { compositeRule: true, createErrors: false, allErrors: false } as const;
  context.mergeValidEvaluated(context.subschema({ keyword: "if", ...withoutErrors }, conditionHolds), conditionHolds);
  context.reset();
  const applyClause = (keyword: "then" | "else") => () => {
    if (parentSchema[keyword] === undefined) return;
    const subschema = context.subschema({ keyword }, conditionHolds);
    gen.assign(valid, conditionHolds);
    context.mergeValidEvaluated(subschema, valid);
  };
  gen.if(conditionHolds, applyClause("then"), applyClause("else"));
  context.setParams({ ifClause: "then" });
  context.pass(valid, () => context.error(true));
}
