import { existsSync } from "node:fs";
import { join } from "node:path";
import {
  type AnswersReader,
  allInFiles,
  type CodeSource,
  builtInPacks as ours,
  type Pack,
  type Protocol,
  protocolsNamed,
  publishedOrder,
  type RuledProtocol,
  type RuleFamily,
  rulesInFiles,
  scenarioFiles,
} from "../../../schemas/index.ts";
import type { Referenced } from "../reference/start.ts";
import { carriedRules } from "./carried-rules.ts";
import { mayLoad, mustBeAllowed } from "./code.ts";
import { descriptorIn } from "./descriptor.ts";
import { inheritedFamilies, ownParts, parentOf, type Resign, type Resigning } from "./inherited.ts";
import { withMadeRules } from "./made-rules.ts";
import type { CaseMakers } from "./rule-files.ts";

const loaded = new Map<string, Promise<Pack>>();
const known = new WeakMap<Protocol, Promise<RuledProtocol>>();

/** The code of a protocol's pack; its parts are not loaded yet. Throws a usage error for a user's pack that is broken. */
export function packOf(protocol: Pick<Protocol, "name"> | Protocol): Promise<Pack> {
  const isForeign = "foreign" in protocol && protocol.foreign === true;
  if (isForeign) mustBeAllowed(protocol);
  const key = isForeign
    ? [protocol.folder, ...protocol.profile.documents.map(({ name }) => name)].join("\n")
    : protocol.name;
  const pack = loaded.get(key) ?? (isForeign ? loadOwnPack(protocol) : builtIn(protocol.name));
  loaded.set(key, pack);
  return pack;
}

/** The parts in the code of a pack's folder, and the scenarios in its files. */
async function loadOwnPack(protocol: Protocol): Promise<Pack> {
  const pack = withPairs(protocol, await descriptorIn(protocol));
  if (!tellsScenarios(protocol)) return pack;
  return {
    ...pack,
    async scenarios() {
      const { scenariosIn } = await import("./scenarios.ts");
      const dataScenarios = await scenariosIn(await ruled(protocol));
      return { scenarios: [...((await pack.scenarios?.())?.scenarios ?? []), ...dataScenarios] };
    },
  };
}

/** Adds a reader that matches answers with requests by id, if the pack asks for it and has no reader of its own. */
function withPairs(protocol: Protocol, pack: Pack): Pack {
  const isPaired = protocol.profile.documents.some(({ answer }) => answer?.id !== undefined);
  if (!isPaired || pack.session !== undefined || pack.answers !== undefined) return pack;
  return {
    ...pack,
    async answers() {
      const { answersBy } = await import("./pairs.ts");
      const answers: AnswersReader = () => {
        const read = answersBy(protocol);
        return ({ message, from }) => (message === undefined ? [] : read({ message, from }));
      };
      return { answers, isHeldLive: true };
    },
  };
}

function tellsScenarios(protocol: Protocol): boolean {
  if (scenarioFiles.some((name) => existsSync(join(protocol.folder, name)))) return true;
  return allInFiles(protocol).some(({ scenarios }) => scenarios !== undefined) || tellsInParent(protocol);
}

function tellsInParent({ extends: extension }: Protocol): boolean {
  return extension?.parent.foreign === true && tellsScenarios(extension.parent);
}

/** The protocol with the semantic rules that its pack decides. */
export function ruled(protocol: Protocol): Promise<RuledProtocol> {
  const before = known.get(protocol) ?? withRules(protocol);
  known.set(protocol, before);
  return before;
}

async function withRules(protocol: Protocol): Promise<RuledProtocol> {
  const { rules, signer, walker } = await packOf(protocol);
  const seal = (await signer?.())?.sign;
  const makers = { seal, walk: (await walker?.())?.walk };
  const code = await rules?.();
  const stated = await withInherited(protocol, code, makers);
  const families = protocol.foreign === true ? [...stated, ...carriedRules(protocol, stated)] : stated;
  const made = protocol.foreign === true ? withMadeRules(protocol.rules, families) : [];
  const published = publishedOrder(protocol);
  return {
    ...protocol,
    ...(published === undefined ? {} : { published }),
    rules: made.length === 0 ? protocol.rules : [...protocol.rules, ...made],
    families,
    ...(seal === undefined ? {} : { seal }),
  };
}

/** The families of a pack, followed by those of the pack that it extends. */
async function withInherited(
  protocol: Protocol,
  code: Awaited<ReturnType<NonNullable<Pack["rules"]>>> | undefined,
  makers: CaseMakers,
): Promise<readonly RuleFamily[]> {
  const inCode = familiesIn(code);
  const parent = parentOf(protocol);
  const { extends: extension } = protocol;
  if (extension === undefined || parent === undefined) return inFiles(protocol, inCode, makers);
  const documents = new Set(protocol.profile.documents.map(({ name }) => name));
  const before = (await ruled(parent)).families;
  const inherited = inheritedFamilies(extension, documents, before, {
    ...ownParts(rulesInFiles(protocol), inCode),
    resigning: await resigningBy(code?.resign),
  });
  const decided = new Set(inherited.flatMap(({ checkers }) => checkers.map(({ rule }) => rule)));
  return [...(await inFiles(protocol, inCode, makers, decided)), ...inherited];
}

/** Few commands make cases, and only a pack that signs needs the engine. */
async function resigningBy(resign: Resign | undefined): Promise<Resigning | undefined> {
  if (resign === undefined) return undefined;
  const { applyChanges } = await import("../../../generators/index.ts");
  return { resign, applyChanges: (value, changes) => applyChanges(value, changes) ?? value };
}

/** The rules in a pack's code; bare checkers belong to rules in files. A pack may have both, for different rules. */
export function familiesIn(code: Awaited<ReturnType<NonNullable<Pack["rules"]>>> | undefined): readonly RuleFamily[] {
  const { families = [], checkers } = code ?? {};
  return checkers === undefined ? families : [{ name: "code", checkers, cases: [] }, ...families];
}

/** Adds the families that a protocol has in files, which are loaded only for such a protocol. */
async function inFiles(
  protocol: Protocol,
  inCode: readonly RuleFamily[],
  makers: CaseMakers,
  elsewhere: ReadonlySet<string> = new Set(),
): Promise<readonly RuleFamily[]> {
  if (rulesInFiles(protocol).length === 0) return inCode;
  const { familiesInFiles } = await import("./rule-files.ts");
  return familiesInFiles(protocol, inCode, { elsewhere, ...makers });
}

/** The protocols with a name; of a user's pack, including the rules that only its code knows. */
export function protocolsNamedBy(name: string, by?: CodeSource): Promise<Protocol[]> {
  return Promise.all(protocolsNamed(name, by).map(withAllRules));
}

/** The protocol with all its rules; without permission to load its code, a pack has only the rules in its data. */
export async function withAllRules(protocol: Protocol): Promise<Protocol> {
  return protocol.foreign === true && mayLoad(protocol) ? ruled(protocol) : protocol;
}

/** The parts of a pack that can be read without loading its code, unless the user named the pack: the scenarios in its files. */
export async function readableOf(protocol: Protocol): Promise<Pack> {
  if (mayLoad(protocol)) return packOf(protocol);
  return {
    async scenarios() {
      const { scenariosIn } = await import("./scenarios.ts");
      return { scenarios: await scenariosIn({ ...protocol, families: [] } as RuledProtocol) };
    },
  };
}

/** The protocol with everything that its reference implementation needs. */
export async function referenceOf(protocol: Protocol): Promise<Referenced> {
  const { reference } = await packOf(protocol);
  return { protocol: await ruled(protocol), service: (await reference?.())?.service };
}

/** Each built-in protocol with code has an entry in the folder of its name; a protocol may also consist of data alone. */
async function builtIn(name: string): Promise<Pack> {
  if (!ours.some((pack) => pack.name === name)) return {};
  return ((await import(`../../protocols/${name}/index.ts`)) as { pack: Pack }).pack;
}
