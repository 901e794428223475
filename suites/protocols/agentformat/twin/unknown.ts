import { isObject, type Json } from "../../../../schemas/index.ts";
import { escapeName, get } from "./finding.ts";

/** Examines a value at a place, and returns its unknown members. */
type Look = (value: Json, at: string) => string[];

const lookAtAny: Look = () => [];
const items =
  (look: Look): Look =>
  (value, at) =>
    Array.isArray(value) ? value.flatMap((item, index) => look(item, `${at}/${index}`)) : [];

function object(plainNames: string, deeper: Record<string, Look> = {}): Look {
  const knownMembers = new Map<string, Look>(Object.entries(deeper));
  for (const name of plainNames.split(" ")) if (name !== "") knownMembers.set(name, lookAtAny);
  return (value, at) =>
    isObject(value)
      ? Object.entries(value).flatMap(([name, part]) => {
          const place = `${at}/${escapeName(name)}`;
          return knownMembers.get(name)?.(part, place) ?? [place];
        })
      : [];
}

const group = object("args_match");
const condition: Look = (value, at) => (Array.isArray(value) ? items(group)(value, at) : group(value, at));
const approval = object("message_template", { condition });
const step = object("agent input_mapping");
const output = object("agent strategy custom_transform description");

const configs: Record<string, Look> = {
  "agf.react": object(
    "instructions provider model temperature top_p top_k max_output_tokens stop_sequences max_steps tool_choice user_prompt_template",
  ),
  "agf.sequential": object("", { steps: items(step), output_from: output }),
  "agf.parallel": object("", { agents: items(step), output_from: output }),
  "agf.loop": object("max_iterations", { steps: items(step), exit_condition: condition, output_from: output }),
  "agf.batch": object("agent input_mapping max_batch_count"),
  "agf.conditional": object("default_agent", { routes: items(object("agent input_mapping", { when: condition })) }),
};

const document = object("schema_version", {
  metadata: object(
    "id name version description authors license labels annotations homepage data_classification namespace",
  ),
  interface: object("input output"),
  memory: object("required"),
  constraints: object("tighten_only_invariant", {
    budget: object("max_token_usage max_duration_seconds"),
    limits: object("max_llm_calls max_tool_calls max_delegation_depth"),
    governance_policies: items(object("policy_ref required description")),
  }),
  action_space: object("", {
    local_tools: items(object("alias name description", { approval })),
    mcp_servers: items(
      object("alias server_ref description", { approval, allowed_tools: items(object("name", { approval })) }),
    ),
    local_agents: items(object("alias source_type source description memory_scope_strategy", { approval })),
    remote_agents: items(
      object("alias description input_modes output_modes", {
        approval,
        allowed_skills: items(object("id", { approval })),
      }),
    ),
  }),
  execution_policy: (policy, at) =>
    object("id", { config: configs[String(get(policy, "id"))] ?? lookAtAny })(policy, at),
});

/** JSON Pointers to the unknown members of an agent document. */
export const unknownIn = (value: Json): string[] => document(value, "");
