import { _, type Ajv, type CodeKeywordDefinition, type KeywordCxt, Name } from "ajv";
import { evaluatedPropsToName } from "ajv/dist/compile/util.js";

/** Keywords that apply only some of their subschemas. */
const conditional = ["anyOf", "oneOf", "if", "dependentSchemas", "dependencies"];

/**
 * Makes Ajv know which members are evaluated. By itself it notes those of earlier keywords only in a branch that evaluates more, and
 * without this branch refuses them all. It is also wrong for an `if` without `then`, or a failing one, and it treats a member with an
 * inherited name as evaluated.
 */
export function keepingEvaluated(ajv: Ajv): void {
  for (const keyword of conditional) {
    // Each instance of Ajv has its own.
    const definition = ajv.getKeyword(keyword) as CodeKeywordDefinition | false;
    if (definition === false) continue;
    const code = keyword === "if" ? condition : definition.code;
    definition.code = (context, type) => {
      const { it, gen } = context;
      if (it.props !== true && !(it.props instanceof Name)) it.props = evaluatedPropsToName(gen, it.props);
      code(context, type);
    };
  }
  const { code } = unevaluatedDefinition(ajv);
  unevaluatedDefinition(ajv).code = (context, type) => {
    const { it, gen } = context;
    // A lookup finds inherited members as well, unless there is nothing to inherit from.
    if (it.props instanceof Name)
      it.props = gen.const("props", _`${it.props} === true || Object.assign(Object.create(null), ${it.props})`);
    code(context, type);
  };
}

function unevaluatedDefinition(ajv: Ajv): CodeKeywordDefinition {
  return ajv.getKeyword("unevaluatedProperties") as CodeKeywordDefinition;
}

function condition(context: KeywordCxt): void {
  const { gen, parentSchema } = context;
  const [valid, holds] = [gen.let("valid", true), gen.name("_valid")];
  const silent = { compositeRule: true, createErrors: false, allErrors: false } as const;
  context.mergeValidEvaluated(context.subschema({ keyword: "if", ...silent }, holds), holds);
  context.reset();
  const clause = (keyword: "then" | "else") => () => {
    if (parentSchema[keyword] === undefined) return;
    const within = context.subschema({ keyword }, holds);
    gen.assign(valid, holds);
    context.mergeValidEvaluated(within, valid);
  };
  gen.if(holds, clause("then"), clause("else"));
  context.setParams({ ifClause: "then" });
  context.pass(valid, () => context.error(true));
}
