import { isObject, type Json } from "../../../../schemas/index.ts";
import { escapeName, get } from "./finding.ts";

/** Returns JSON Pointers to the unknown members of a value, given the pointer to the value. */
type FindUnknown = (value: Json, pointer: string) => string[];

const acceptAny: FindUnknown = () => [];
const listOf =
  (findInItem: FindUnknown): FindUnknown =>
  (value, at) =>
    Array.isArray(value) ? value.flatMap((item, index) => findInItem(item, `${at}/${index}`)) : [];

function objectOf(plainNames: string, nestedMembers: Record<string, FindUnknown> = {}): FindUnknown {
  const knownMembers = new Map<string, FindUnknown>(Object.entries(nestedMembers));
  for (const name of plainNames.split(" ")) if (name !== "") knownMembers.set(name, acceptAny);
  return (value, at) =>
    isObject(value)
      ? Object.entries(value).flatMap(([name, member]) => {
          const place = `${at}/${escapeName(name)}`;
          return knownMembers.get(name)?.(member, place) ?? [place];
        })
      : [];
}

const group = objectOf("args_match");
const condition: FindUnknown = (value, at) => (Array.isArray(value) ? listOf(group)(value, at) : group(value, at));
const approval = objectOf("message_template", { condition });
const step = objectOf("agent input_mapping");
const output = objectOf("agent strategy custom_transform description");

const configs: Record<string, FindUnknown> = {
  "agf.react": objectOf(
    "instructions provider model temperature top_p top_k max_output_tokens stop_sequences max_steps tool_choice user_prompt_template",
  ),
  "agf.sequential": objectOf("", { steps: listOf(step), output_from: output }),
  "agf.parallel": objectOf("", { agents: listOf(step), output_from: output }),
  "agf.loop": objectOf("max_iterations", { steps: listOf(step), exit_condition: condition, output_from: output }),
  "agf.batch": objectOf("agent input_mapping max_batch_count"),
  "agf.conditional": objectOf("default_agent", {
    routes: listOf(objectOf("agent input_mapping", { when: condition })),
  }),
};

const document = objectOf("schema_version", {
  metadata: objectOf(
    "id name version description authors license labels annotations homepage data_classification namespace",
  ),
  interface: objectOf("input output"),
  memory: objectOf("required"),
  constraints: objectOf("tighten_only_invariant", {
    budget: objectOf("max_token_usage max_duration_seconds"),
    limits: objectOf("max_llm_calls max_tool_calls max_delegation_depth"),
    governance_policies: listOf(objectOf("policy_ref required description")),
  }),
  action_space: objectOf("", {
    local_tools: listOf(objectOf("alias name description", { approval })),
    mcp_servers: listOf(
      objectOf("alias server_ref description", { approval, allowed_tools: listOf(objectOf("name", { approval })) }),
    ),
    local_agents: listOf(objectOf("alias source_type source description memory_scope_strategy", { approval })),
    remote_agents: listOf(
      objectOf("alias description input_modes output_modes", {
        approval,
        allowed_skills: listOf(objectOf("id", { approval })),
      }),
    ),
  }),
  execution_policy: (policy, at) =>
    objectOf("id", { config: configs[String(get(policy, "id"))] ?? acceptAny })(policy, at),
});

/** JSON Pointers to the unknown members of an agent document. */
export const unknownIn = (value: Json): string[] => document(value, "");
