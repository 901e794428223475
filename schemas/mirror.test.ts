import { describe, expect, it } from "vitest";
import type { Baseline, BaselineEntry, Judged } from "./baseline.ts";
import { neverAskedOf, openBy } from "./cause.ts";
import type {
  AgentConfig,
  CallbackAuth,
  Config,
  Credential,
  HookConfig,
  ReceiverConfig,
  RefusedWhen,
  RetryConfig,
  SigningKey,
  TargetConfig,
  WebServerConfig,
} from "./config.ts";
import type { Contradiction, NamedReading, PartialLift } from "./contradiction.ts";
import type {
  AnswerHeader,
  AnswerSchema,
  CredentialPlace,
  DescribedHeaders,
  DescribedStatuses,
  Endpoint,
  Parameter,
} from "./endpoint.ts";
import { exitCodes } from "./error.ts";
import type { ExtendsFile, Renames } from "./extension.ts";
import type { Freedom, FreedomFile, Settled } from "./freedom.ts";
import type { CitedText, Position, PositionFile } from "./grounds.ts";
import { isObject, type JsonObject } from "./json.ts";
import { type Manifest, type MutationScore, type UnbrokenAssertion, unbrokenKinds } from "./manifest.ts";
import { ownSchemas } from "./own-schemas.ts";
import type { DocumentFile, ProfileFile, RuleEntry, RulesFile } from "./pack/file.ts";
import type { CaseEntry, CheckEntry, Forms, RuleFamilyFile, RulePart, ScenarioPart } from "./pack/rule-file.ts";
import type { Ending, Expectation, ScenarioEntry, ScenarioFile, StepEntry } from "./pack/scenario.ts";
import { at } from "./pointer.ts";
import type {
  AnswerCondition,
  Closing,
  Discretion,
  DocumentAnswer,
  ExplainedReading,
  Feature,
  Freshness,
  KindMembers,
  KnownMistake,
  Later,
  Profile,
  Side,
  Spelling,
  TextPosition,
  TextRuling,
  TimeoutMember,
  TokenMember,
  Tool,
  Unjudged,
  ValidationStep,
} from "./profile.ts";
import type { PublishedBound, PublishedLimits, PublishedRoom, RefusableAddress } from "./published-limits.ts";
import {
  type Answer,
  type BaselineReport,
  type ChangedFiles,
  type Counts,
  type HttpExchange,
  type InCommon,
  type Lost,
  outcomes,
  type Report,
  type Result,
  type Run,
  type Sent,
  type Shard,
  type UntestedRule,
} from "./report.ts";
import type { FooterLine, HeaderLine, ResultLine } from "./report-line.ts";
import type { ReportOptions, ReportTarget } from "./report-options.ts";
import { checks, levels, type RuleStatus } from "./rule.ts";
import type { ValueConditions } from "./value-conditions.ts";
import { capabilities, type Reading, type Vector, type VectorFile, vectorKinds } from "./vector.ts";
import {
  type CheckAnswer,
  type CheckMessage,
  type HelloAnswer,
  type HelloMessage,
  type Reason,
  type StopMessage,
  wireVersion,
} from "./wire.ts";

/** Every member of a type, and whether it is required: the compiler refuses any other list. */
type Shape<T> = { [K in keyof T]-?: Pick<T, K> extends Required<Pick<T, K>> ? true : false };
type Status<K extends string> = Extract<RuleStatus, Record<K, string>>;
type Kind<K extends TargetConfig["kind"]> = Extract<TargetConfig, { kind: K }>;

const schemas = ownSchemas();
const required = true;
const optional = false;

/** The location of each schema, with the members of its type. */
const mirrored: [place: string, shape: Record<string, boolean>][] = [
  [
    "vector-file#",
    {
      $schema: required,
      description: required,
      protocol: required,
      version: required,
      document: required,
      schema: required,
      schemaDigest: required,
      generator: required,
      count: required,
      tests: required,
    } satisfies Shape<VectorFile>,
  ],
  [
    "vector-file#/$defs/vector",
    {
      id: required,
      description: required,
      valid: optional,
      readings: optional,
      data: optional,
      raw: optional,
      base64: optional,
      rule: optional,
      level: optional,
      beyond: optional,
      alsoBreaks: optional,
      site: optional,
      at: optional,
      involves: optional,
      fault: optional,
      parent: optional,
      change: optional,
      needs: required,
      format: optional,
      tags: required,
    } satisfies Shape<Vector>,
  ],
  [
    "vector-file#/$defs/reading",
    { verdict: required, ids: optional, by: required, why: optional, site: optional } satisfies Shape<Reading>,
  ],
  [
    "words#/$defs/generator",
    { name: required, version: required, seed: required } satisfies Shape<VectorFile["generator"]>,
  ],
  [
    "manifest#",
    {
      $schema: required,
      name: required,
      version: required,
      generator: required,
      digest: required,
      count: required,
      aliases: optional,
      missing: optional,
      files: required,
      documents: required,
    } satisfies Shape<Manifest>,
  ],
  [
    "manifest#/properties/aliases",
    { path: required, count: required, digest: required } satisfies Shape<NonNullable<Manifest["aliases"]>>,
  ],
  [
    "manifest#/$defs/file",
    {
      path: required,
      protocol: required,
      version: required,
      document: required,
      kind: required,
      count: required,
      digest: required,
    } satisfies Shape<Manifest["files"][number]>,
  ],
  [
    "manifest#/$defs/document",
    {
      protocol: required,
      version: required,
      document: required,
      schema: required,
      sites: required,
      broken: required,
      unbroken: required,
      forcing: required,
    } satisfies Shape<Manifest["documents"][number]>,
  ],
  [
    "manifest#/$defs/forcing",
    {
      mutants: required,
      twice: required,
      once: required,
      only: optional,
      beyond: optional,
      equivalent: required,
      away: optional,
      partial: optional,
      keywords: required,
      operators: optional,
      unforced: required,
    } satisfies Shape<MutationScore>,
  ],
  [
    "manifest#/$defs/tally",
    {
      mutants: required,
      twice: required,
      once: required,
      only: optional,
      beyond: optional,
      equivalent: required,
    } satisfies Shape<MutationScore["keywords"][string]>,
  ],
  [
    "manifest#/$defs/unforced",
    {
      site: required,
      operator: required,
      says: required,
      kills: required,
      why: required,
      beyond: optional,
    } satisfies Shape<MutationScore["unforced"][number]>,
  ],
  ["manifest#/$defs/unbroken", { site: required, kind: optional, why: required } satisfies Shape<UnbrokenAssertion>],
  ["rules#", { $schema: optional, protocol: optional, version: optional, rules: required } satisfies Shape<RulesFile>],
  [
    "rules#/$defs/rule",
    {
      id: required,
      level: optional,
      clause: optional,
      statement: required,
      binds: optional,
      tier: optional,
      check: optional,
      sites: optional,
      basis: optional,
      positions: optional,
      position: optional,
      verdict: optional,
      author: optional,
      follows: optional,
      status: optional,
      when: optional,
      unless: optional,
    } satisfies Shape<RuleEntry>,
  ],
  ["rules#/$defs/status/oneOf/0", { covered: required } satisfies Shape<Status<"covered">>],
  ["rules#/$defs/status/oneOf/1", { planned: required } satisfies Shape<Status<"planned">>],
  ["rules#/$defs/status/oneOf/2", { untested: required } satisfies Shape<Status<"untested">>],
  [
    "profile#",
    {
      $schema: optional,
      extends: optional,
      protocol: optional,
      version: optional,
      title: optional,
      summary: optional,
      formats: optional,
      extent: optional,
      discriminator: optional,
      sender: optional,
      discretion: optional,
      timeouts: optional,
      tokens: optional,
      spellings: optional,
      kinds: optional,
      families: optional,
      sides: optional,
      text: optional,
      contradictions: optional,
      readings: optional,
      documents: required,
      http: optional,
      errors: optional,
      steps: optional,
    } satisfies Shape<ProfileFile>,
  ],
  [
    "profile#/$defs/extends",
    { pack: required, rename: optional, gone: optional, stated: optional } satisfies Shape<ExtendsFile>,
  ],
  [
    "profile#/$defs/extends/properties/rename",
    { ids: optional, members: optional, headers: optional, paths: optional, texts: optional } satisfies Shape<Renames>,
  ],
  [
    "profile#/$defs/document",
    {
      name: optional,
      title: optional,
      schema: optional,
      file: optional,
      standalone: optional,
      kept: optional,
      role: optional,
      has: optional,
      when: optional,
      endpoint: optional,
      unsent: optional,
      wrap: optional,
      answer: optional,
      fresh: optional,
      samples: optional,
      moreSamples: optional,
      mistakes: optional,
      tool: optional,
    } satisfies Shape<DocumentFile>,
  ],
  [
    "profile#/$defs/document/properties/tool",
    { name: required, digest: optional, output: optional } satisfies Shape<Tool>,
  ],
  [
    "profile#/$defs/freshness",
    {
      at: required,
      make: required,
      prefix: optional,
      offset: optional,
      in: optional,
      clash: optional,
    } satisfies Shape<Freshness>,
  ],
  [
    "profile#/$defs/endpoint",
    {
      method: required,
      path: required,
      type: optional,
      carries: optional,
      optional,
      parameters: optional,
      given: optional,
      described: optional,
      accepted: optional,
      rejected: optional,
    } satisfies Shape<Endpoint>,
  ],
  [
    "profile#/$defs/parameter",
    {
      in: required,
      name: required,
      style: required,
      explode: required,
      types: optional,
      members: optional,
      holds: optional,
      mixed: optional,
      key: optional,
    } satisfies Shape<Parameter>,
  ],
  [
    "profile#/$defs/described",
    {
      answers: required,
      rule: required,
      credentials: required,
      statuses: optional,
      headers: optional,
      security: optional,
      reuse: optional,
    } satisfies Shape<NonNullable<Endpoint["described"]>>,
  ],
  ["profile#/$defs/describedStatuses", { rule: required, named: required } satisfies Shape<DescribedStatuses>],
  [
    "profile#/$defs/describedStatuses/properties/named/items",
    { status: required, types: required } satisfies Shape<DescribedStatuses["named"][number]>,
  ],
  [
    "profile#/$defs/describedSecurity",
    { rule: required, places: required, choices: optional } satisfies Shape<
      NonNullable<NonNullable<Endpoint["described"]>["security"]>
    >,
  ],
  [
    "profile#/$defs/credentialPlace",
    { in: required, name: required, scheme: optional } satisfies Shape<CredentialPlace>,
  ],
  ["profile#/$defs/describedHeaders", { rule: required, answers: required } satisfies Shape<DescribedHeaders>],
  [
    "profile#/$defs/describedHeaders/properties/answers/items",
    { status: required, document: required, headers: required } satisfies Shape<DescribedHeaders["answers"][number]>,
  ],
  [
    "profile#/$defs/answerHeader",
    { name: required, types: optional, holds: optional, required: optional } satisfies Shape<AnswerHeader>,
  ],
  [
    "profile#/$defs/answer",
    { status: required, type: required, document: required, items: optional } satisfies Shape<AnswerSchema>,
  ],
  [
    "profile#/$defs/condition",
    { status: required, present: optional, absent: optional, equal: optional } satisfies Shape<AnswerCondition>,
  ],
  [
    "profile#/$defs/http",
    {
      headers: optional,
      signature: optional,
      binds: optional,
      servers: optional,
      later: optional,
      closed: optional,
      publishes: optional,
      features: optional,
      limits: optional,
      closing: optional,
      mayRefuse: optional,
      accepted: optional,
      rejected: optional,
      reason: optional,
    } satisfies Shape<NonNullable<ProfileFile["http"]>>,
  ],
  [
    "profile#/$defs/feature",
    { documents: required, message: optional, when: optional, unless: optional } satisfies Shape<Feature>,
  ],
  ["profile#/$defs/http/properties/closing", { id: required, path: required, body: required } satisfies Shape<Closing>],
  ["profile#/$defs/http/properties/later", { equal: required, seconds: required } satisfies Shape<Later>],
  [
    "profile#/$defs/http/properties/limits",
    {
      path: required,
      addresses: optional,
      bounds: required,
      pace: optional,
      open: optional,
    } satisfies Shape<PublishedLimits>,
  ],
  [
    "profile#/$defs/http/properties/limits/properties/open",
    { published: required, equal: required, id: required } satisfies Shape<PublishedRoom>,
  ],
  ["profile#/$defs/refusableAddress", { at: required, schemes: required } satisfies Shape<RefusableAddress>],
  ["profile#/$defs/bound", { published: required, at: required, measure: required } satisfies Shape<PublishedBound>],
  [
    "profile#/$defs/http/properties/reason",
    { code: optional, message: optional, at: optional, codes: optional, unjudged: optional } satisfies Shape<
      NonNullable<Profile["http"]["reason"]>
    >,
  ],
  [
    "profile#/$defs/http/properties/reason/properties/unjudged/items",
    { code: required, why: required, sealed: optional } satisfies Shape<Unjudged>,
  ],
  [
    "profile#/$defs/error",
    { code: required, status: optional, meaning: required } satisfies Shape<NonNullable<Profile["errors"]>[number]>,
  ],
  [
    "freedoms#",
    {
      $schema: required,
      protocol: required,
      version: required,
      freedoms: required,
      settled: required,
    } satisfies Shape<FreedomFile>,
  ],
  [
    "freedoms#/$defs/freedom",
    {
      id: required,
      clause: required,
      rules: required,
      strict: required,
      lenient: required,
      shows: required,
    } satisfies Shape<Freedom>,
  ],
  [
    "positions#",
    {
      $schema: required,
      protocol: required,
      version: required,
      sources: required,
      positions: required,
    } satisfies Shape<PositionFile>,
  ],
  [
    "positions#/$defs/source",
    { mark: required, title: required, url: required, clauses: optional } satisfies Shape<CitedText>,
  ],
  ["positions#/$defs/position", { id: required, issue: required, position: required } satisfies Shape<Position>],
  ["freedoms#/$defs/settled", { position: required, why: required } satisfies Shape<Settled>],
  ["profile#/$defs/text", { rulings: required, yaml: optional, levels: optional } satisfies Shape<TextPosition>],
  [
    "profile#/$defs/ruling",
    {
      rule: optional,
      invalid: optional,
      level: optional,
      except: optional,
      why: optional,
      note: optional,
    } satisfies Shape<TextRuling>,
  ],
  ["profile#/$defs/side", { says: required, hooks: required, options: optional } satisfies Shape<Side>],
  ["profile#/$defs/timeout", { documents: required, at: required, unit: required } satisfies Shape<TimeoutMember>],
  ["profile#/$defs/token", { documents: required, at: required } satisfies Shape<TokenMember>],
  ["profile#/$defs/spelling", { member: required, written: required, means: required } satisfies Shape<Spelling>],
  [
    "profile#/$defs/document/properties/answer",
    {
      rule: required,
      document: optional,
      at: optional,
      envelope: optional,
      refusal: optional,
      echoes: optional,
      id: optional,
      type: optional,
    } satisfies Shape<DocumentAnswer>,
  ],
  [
    "profile#/$defs/mistake",
    {
      name: required,
      says: required,
      sample: optional,
      change: required,
      accepted: optional,
    } satisfies Shape<KnownMistake>,
  ],
  ["profile#/$defs/kind", { document: required, at: required, members: required } satisfies Shape<KindMembers>],
  [
    "profile#/$defs/discretion",
    { at: required, rule: required, documents: optional, except: optional } satisfies Shape<Discretion>,
  ],
  [
    "profile#/$defs/contradiction",
    { about: required, clause: required, rules: required, readings: required } satisfies Shape<Contradiction>,
  ],
  ["profile#/$defs/explainedReading", { id: required, says: required } satisfies Shape<ExplainedReading>],
  [
    "profile#/$defs/reading",
    {
      name: required,
      formerly: optional,
      says: required,
      by: optional,
      lifts: optional,
      nulls: optional,
      tolerates: optional,
      needs: optional,
    } satisfies Shape<NamedReading>,
  ],
  ["profile#/$defs/partialLift", { at: required, to: required } satisfies Shape<PartialLift>],
  [
    "scenarios#/$defs/publishedPart",
    {
      equal: optional,
      differs: optional,
      matches: optional,
      present: optional,
      absent: optional,
      includes: optional,
    } satisfies Shape<ValueConditions>,
  ],
  [
    "profile#/$defs/step",
    { at: required, schema: optional, by: optional, schemas: optional } satisfies Shape<ValidationStep>,
  ],
  ["scenarios#", { $schema: optional, scenarios: required } satisfies Shape<ScenarioFile>],
  [
    "scenarios#/$defs/scenario",
    {
      name: required,
      says: required,
      side: optional,
      needs: optional,
      withinMs: optional,
      when: optional,
      unless: optional,
      steps: required,
    } satisfies Shape<ScenarioEntry>,
  ],
  [
    "scenarios#/$defs/step",
    {
      send: optional,
      hook: optional,
      with: optional,
      pass: optional,
      stream: optional,
      socket: optional,
      start: optional,
      tell: optional,
      message: optional,
      close: optional,
      code: optional,
      count: optional,
      decode: optional,
      next: optional,
      until: optional,
      end: optional,
      receive: optional,
      answers: optional,
      arrival: optional,
      withinMs: optional,
      each: optional,
      steps: optional,
      unless: optional,
      save: optional,
      expect: optional,
    } satisfies Shape<StepEntry>,
  ],
  [
    "scenarios#/$defs/ending",
    {
      status: optional,
      equal: optional,
      differs: optional,
      matches: optional,
      present: optional,
      absent: optional,
      includes: optional,
      valid: optional,
      at: optional,
      headers: optional,
      why: required,
    } satisfies Shape<Ending>,
  ],
  [
    "rule-family#",
    { $schema: optional, order: optional, seals: optional, rules: required } satisfies Shape<RuleFamilyFile>,
  ],
  [
    "rule-family#/$defs/rule",
    {
      level: optional,
      clause: optional,
      statement: optional,
      when: optional,
      unless: optional,
      binds: optional,
      tier: optional,
      sites: optional,
      basis: optional,
      positions: optional,
      position: optional,
      verdict: optional,
      author: optional,
      follows: optional,
      status: optional,
      overrides: optional,
      lacks: optional,
      decided: optional,
      document: optional,
      check: optional,
      seals: optional,
      enforcedBy: optional,
      about: optional,
      needs: optional,
      valid: optional,
      invalid: optional,
      disputed: optional,
      permits: optional,
      yaml: optional,
      cases: optional,
      scenarios: optional,
    } satisfies Shape<RulePart>,
  ],
  [
    "rule-family#/$defs/check",
    {
      equal: optional,
      differs: optional,
      atMost: optional,
      oneOf: optional,
      noneOf: optional,
      matches: optional,
      present: optional,
      absent: optional,
      one: optional,
      unique: optional,
      when: optional,
      at: optional,
      why: optional,
      level: optional,
    } satisfies Shape<CheckEntry>,
  ],
  [
    "rule-family#/$defs/forms",
    {
      equal: optional,
      differs: optional,
      atMost: optional,
      oneOf: optional,
      noneOf: optional,
      matches: optional,
      present: optional,
      absent: optional,
      one: optional,
    } satisfies Shape<Forms>,
  ],
  [
    "rule-family#/$defs/valid",
    {
      says: required,
      at: optional,
      edge: optional,
      needs: optional,
      level: optional,
      document: optional,
      text: optional,
      base64: optional,
      data: optional,
      from: optional,
      walk: optional,
      set: optional,
      repeat: optional,
      remove: optional,
      copy: optional,
      seal: optional,
      spelt: optional,
      add: optional,
      patch: optional,
    } satisfies Shape<Omit<CaseEntry, "involves" | "readings">>,
  ],
  [
    "rule-family#/$defs/invalid",
    {
      says: required,
      at: optional,
      edge: optional,
      needs: optional,
      level: optional,
      document: optional,
      text: optional,
      base64: optional,
      from: optional,
      set: optional,
      repeat: optional,
      remove: optional,
      copy: optional,
      seal: optional,
      spelt: optional,
      add: optional,
      patch: optional,
      involves: optional,
    } satisfies Shape<Omit<CaseEntry, "data" | "walk" | "readings">>,
  ],
  [
    "rule-family#/$defs/scenario",
    {
      says: required,
      side: optional,
      needs: optional,
      withinMs: optional,
      when: optional,
      unless: optional,
      steps: optional,
      play: optional,
      rules: optional,
    } satisfies Shape<ScenarioPart>,
  ],
  [
    "scenarios#/$defs/request",
    {
      method: optional,
      path: required,
      headers: optional,
      body: optional,
      base64: optional,
      as: optional,
    } satisfies Shape<NonNullable<StepEntry["send"]>>,
  ],
  [
    "scenarios#/$defs/expectation",
    {
      rule: optional,
      why: optional,
      status: optional,
      equal: optional,
      differs: optional,
      matches: optional,
      present: optional,
      absent: optional,
      includes: optional,
      valid: optional,
      at: optional,
      headers: optional,
    } satisfies Shape<Expectation>,
  ],
  [
    "report#",
    {
      $schema: required,
      tool: required,
      started: required,
      durationMs: required,
      complete: required,
      command: required,
      options: optional,
      counts: required,
      failOn: optional,
      baseline: optional,
      exitCode: required,
      runs: required,
    } satisfies Shape<Report>,
  ],
  [
    "report#/$defs/options",
    {
      verb: required,
      protocol: required,
      target: required,
      side: optional,
      seed: optional,
      timeoutMs: optional,
      concurrency: optional,
      vectors: optional,
      scenarios: optional,
      readings: optional,
      config: optional,
      runs: optional,
      walk: optional,
    } satisfies Shape<ReportOptions>,
  ],
  [
    "report#/$defs/target/oneOf/2",
    { kind: required, url: required, headers: optional, claims: optional, endpoints: optional } satisfies Shape<
      Extract<ReportTarget, { kind: "http" }>
    >,
  ],
  [
    "report#/$defs/baseline",
    {
      file: required,
      known: required,
      findings: required,
      newVectors: optional,
      repair: optional,
    } satisfies Shape<BaselineReport>,
  ],
  [
    "report#/$defs/baseline/properties/findings/items",
    { kind: required, name: required, what: required } satisfies Shape<BaselineReport["findings"][number]>,
  ],
  [
    "report#/$defs/counts",
    {
      conforms: required,
      violates: required,
      warns: required,
      "wrong-reason": required,
      disputed: required,
      skipped: required,
      errored: required,
      "timed-out": required,
      flaky: required,
    } satisfies Shape<Counts>,
  ],
  [
    "report#/$defs/run",
    {
      protocol: required,
      version: required,
      target: required,
      set: required,
      filter: required,
      readings: optional,
      bounds: optional,
      shard: optional,
      started: optional,
      command: optional,
      options: optional,
      counts: required,
      results: required,
      inCommon: optional,
      untested: optional,
      lost: optional,
      failure: optional,
    } satisfies Shape<Run>,
  ],
  ["report#/$defs/run/properties/lost", { times: required, last: required } satisfies Shape<Lost>],
  ["report#/$defs/run/properties/untested/items", { rule: required, why: required } satisfies Shape<UntestedRule>],
  [
    "report#/$defs/inCommon",
    {
      document: required,
      refused: required,
      accepted: required,
      by: required,
      have: required,
    } satisfies Shape<InCommon>,
  ],
  [
    "report#/$defs/run/properties/set",
    { digest: required, count: required, changed: optional } satisfies Shape<Run["set"]>,
  ],
  [
    "report#/$defs/run/properties/set/properties/changed",
    { files: required, again: required } satisfies Shape<ChangedFiles>,
  ],
  ["report#/$defs/run/properties/shard", { index: required, count: required } satisfies Shape<Shard>],
  [
    "report-line#/$defs/header",
    {
      line: required,
      $schema: required,
      tool: required,
      started: required,
      command: required,
      options: optional,
      runs: required,
    } satisfies Shape<HeaderLine>,
  ],
  [
    "report-line#/$defs/header/properties/runs/items",
    {
      protocol: required,
      version: required,
      target: required,
      set: required,
      filter: required,
      readings: optional,
      shard: optional,
      started: optional,
      command: optional,
      options: optional,
    } satisfies Shape<HeaderLine["runs"][number]>,
  ],
  [
    "report-line#/$defs/result",
    { line: required, run: required, index: required, result: required } satisfies Shape<ResultLine>,
  ],
  [
    "report-line#/$defs/footer",
    {
      line: required,
      durationMs: required,
      complete: required,
      counts: required,
      failOn: optional,
      baseline: optional,
      exitCode: required,
      runs: required,
    } satisfies Shape<FooterLine>,
  ],
  [
    "report-line#/$defs/footer/properties/runs/items",
    {
      target: required,
      counts: required,
      known: optional,
      bounds: optional,
      inCommon: optional,
      untested: optional,
      lost: optional,
      failure: optional,
    } satisfies Shape<FooterLine["runs"][number]>,
  ],
  [
    "report#/$defs/run/properties/target",
    { kind: required, name: required, claims: optional, assumed: optional } satisfies Shape<Run["target"]>,
  ],
  [
    "report#/$defs/result",
    {
      id: required,
      kind: required,
      document: required,
      description: required,
      verdict: required,
      level: required,
      rule: optional,
      site: optional,
      at: optional,
      fault: optional,
      outcome: required,
      known: optional,
      why: optional,
      cause: optional,
      difference: optional,
      decidedBy: optional,
      follows: optional,
      stage: optional,
      durationMs: optional,
      answer: optional,
      exchanges: optional,
      trace: optional,
      vector: optional,
    } satisfies Shape<Result>,
  ],
  [
    "report#/$defs/result/properties/vector",
    { data: optional, raw: optional, base64: optional, change: optional, parent: optional } satisfies Shape<
      NonNullable<Result["vector"]>
    >,
  ],
  [
    "report#/$defs/answer",
    { verdict: required, reasons: required, codeless: optional, exchange: optional } satisfies Shape<Answer>,
  ],
  ["report#/$defs/sent", { from: required, to: required, text: required, decisive: optional } satisfies Shape<Sent>],
  [
    "report#/$defs/exchange",
    {
      request: required,
      response: optional,
      incoming: optional,
      as: optional,
      decisive: optional,
    } satisfies Shape<HttpExchange>,
  ],
  [
    "report#/$defs/exchange/properties/request",
    { method: required, url: required, headers: required, body: required } satisfies Shape<HttpExchange["request"]>,
  ],
  [
    "report#/$defs/exchange/properties/response",
    { status: required, headers: required, body: required } satisfies Shape<NonNullable<HttpExchange["response"]>>,
  ],
  [
    "words#/$defs/reason",
    {
      at: optional,
      keyword: optional,
      site: optional,
      rule: optional,
      code: optional,
      message: optional,
    } satisfies Shape<Reason>,
  ],
  [
    "wire#/$defs/hello",
    {
      command: required,
      touchstone: required,
      protocol: required,
      version: required,
      schemas: required,
    } satisfies Shape<HelloMessage>,
  ],
  ["wire#/$defs/helloAnswer", { ready: required, name: optional, claims: optional } satisfies Shape<HelloAnswer>],
  [
    "wire#/$defs/check",
    {
      command: required,
      seq: required,
      document: required,
      schema: required,
      data: optional,
      text: optional,
      base64: optional,
      yaml: optional,
    } satisfies Shape<CheckMessage>,
  ],
  [
    "wire#/$defs/checkAnswer",
    {
      seq: required,
      valid: optional,
      errors: optional,
      warnings: optional,
      skipped: optional,
      error: optional,
    } satisfies Shape<CheckAnswer>,
  ],
  ["wire#/$defs/stop", { command: required } satisfies Shape<StopMessage>],
  [
    "config#",
    {
      $schema: optional,
      protocol: optional,
      target: optional,
      only: optional,
      skip: optional,
      readings: optional,
      concurrency: optional,
      timeout: optional,
      seed: optional,
      report: optional,
      credentials: optional,
      hooks: optional,
      options: optional,
      agent: optional,
      receiver: optional,
      callbackAuth: optional,
      profile: optional,
      timeScale: optional,
      bounds: optional,
      scenarios: optional,
      vectors: optional,
      baseline: optional,
      failOn: optional,
      webServer: optional,
      retry: optional,
      projects: optional,
      keys: optional,
      refusedWhen: optional,
    } satisfies Shape<Config>,
  ],
  [
    "config#/properties/webServer",
    { command: required, url: required, timeout: optional, reuse: optional } satisfies Shape<WebServerConfig>,
  ],
  ["config#/properties/retry", { count: required, excuses: optional } satisfies Shape<RetryConfig>],
  [
    "config#/$defs/refusedWhen",
    { status: optional, present: optional, absent: optional, equal: optional } satisfies Shape<RefusedWhen>,
  ],
  ["config#/$defs/agent", { url: optional, id: optional, key: required } satisfies Shape<AgentConfig>],
  [
    "config#/$defs/hmacKey",
    { alg: required, secret: required } satisfies Shape<Extract<SigningKey, { secret: string }>>,
  ],
  [
    "config#/$defs/ed25519Key",
    { alg: required, seed: required } satisfies Shape<Extract<SigningKey, { seed: string }>>,
  ],
  ["config#/properties/receiver", { host: optional, port: optional, url: optional } satisfies Shape<ReceiverConfig>],
  [
    "config#/$defs/callbackAuth",
    { hmac: optional, bearer: optional, apikey: optional, ed25519: optional } satisfies Shape<CallbackAuth>,
  ],
  [
    "config#/$defs/callbackAuth/properties/hmac",
    { reference: required, secret: required, second: optional } satisfies Shape<NonNullable<CallbackAuth["hmac"]>>,
  ],
  [
    "config#/$defs/callbackAuth/properties/hmac/properties/second",
    { reference: required, secret: required } satisfies Shape<NonNullable<NonNullable<CallbackAuth["hmac"]>["second"]>>,
  ],
  [
    "config#/$defs/callbackAuth/properties/bearer",
    { reference: required, token: required } satisfies Shape<NonNullable<CallbackAuth["bearer"]>>,
  ],
  [
    "config#/$defs/callbackAuth/properties/apikey",
    { reference: required, token: required, header: optional } satisfies Shape<NonNullable<CallbackAuth["apikey"]>>,
  ],
  [
    "config#/$defs/callbackAuth/properties/ed25519",
    { publicKey: required } satisfies Shape<NonNullable<CallbackAuth["ed25519"]>>,
  ],
  ["config#/$defs/credential", { agent: required, token: optional, apikey: optional } satisfies Shape<Credential>],
  [
    "config#/$defs/httpHook/properties/http",
    { method: optional, url: required, headers: optional, body: optional } satisfies Shape<
      Extract<HookConfig, { http: unknown }>["http"]
    >,
  ],
  ["config#/$defs/commandHook", { command: required } satisfies Shape<Extract<HookConfig, { command: unknown }>>],
  ["config#/$defs/moduleTarget", { kind: required, claims: optional, file: required } satisfies Shape<Kind<"module">>],
  [
    "config#/$defs/commandTarget",
    { kind: required, claims: optional, command: required } satisfies Shape<Kind<"command">>,
  ],
  [
    "config#/$defs/httpTarget",
    {
      kind: required,
      claims: optional,
      url: required,
      headers: optional,
      endpoints: optional,
      identity: optional,
    } satisfies Shape<Kind<"http">>,
  ],
  [
    "config#/$defs/mcpTarget",
    { kind: required, claims: optional, server: required, tools: optional, headers: optional } satisfies Shape<
      Kind<"mcp">
    >,
  ],
  ["config#/$defs/referenceTarget", { kind: required, variant: optional } satisfies Shape<Kind<"reference">>],
  ["baseline#", { $schema: required, sets: required, judged: optional, entries: required } satisfies Shape<Baseline>],
  [
    "baseline#/$defs/judged",
    {
      results: required,
      rules: required,
      scenarios: required,
      skipped: required,
      vectors: required,
    } satisfies Shape<Judged>,
  ],
  [
    "baseline#/$defs/entry",
    {
      id: optional,
      rule: optional,
      site: optional,
      outcome: required,
      reason: required,
      expires: optional,
      owner: optional,
      flaky: optional,
    } satisfies Shape<BaselineEntry>,
  ],
];

function schemaAt(place: string): JsonObject {
  const [format = "", pointer = ""] = place.split("#");
  return at(pointer, schemas[format] ?? null) as JsonObject;
}

describe("a format's schema and its type", () => {
  it.each(mirrored)("have the same members: %s", (place, shape) => {
    const { properties, required, additionalProperties } = schemaAt(place);
    expect(Object.keys(properties as JsonObject)).toEqual(Object.keys(shape));
    expect(new Set(required as string[] | undefined)).toEqual(
      new Set(Object.keys(shape).filter((name) => shape[name] === true)),
    );
    expect(additionalProperties).toBe(false);
  });

  it.each<[place: string, values: readonly unknown[]]>([
    ["words#/$defs/level", levels],
    ["words#/$defs/outcome", outcomes],
    ["words#/$defs/vectorKind", vectorKinds],
    ["words#/$defs/capability", Object.keys(capabilities)],
    ["manifest#/$defs/unbroken/properties/kind", unbrokenKinds],
    ["report#/$defs/cause/oneOf/3/properties/by", openBy],
    ["report#/$defs/cause/oneOf/15/properties/of", neverAskedOf],
    ["rules#/$defs/check", checks],
    ["report#/properties/exitCode", [0, ...Object.values(exitCodes)]],
  ])("list the same values: %s", (place, values) => expect(schemaAt(place).enum).toEqual(values));

  it("agree on the version of the wire format", () => {
    expect(schemaAt("wire#/$defs/hello/properties/touchstone").const).toBe(wireVersion);
  });
});

describe("every format", () => {
  it.each(Object.entries(schemas))(
    "%s has titles for itself and its members, and closes its objects",
    (name, schema) => {
      expect(schema).toMatchObject({
        $schema: "https://json-schema.org/draft/2020-12/schema",
        $id: `https://touchstone.example/schemas/touchstone/${name}.schema.json`,
        title: expect.stringMatching(/./),
        description: expect.stringMatching(/\.$/),
      });
      for (const object of objectsIn(schema)) {
        expect(object).toHaveProperty("additionalProperties");
        for (const [member, memberSchema] of Object.entries((object.properties ?? {}) as Record<string, JsonObject>)) {
          const hasTitle =
            "title" in memberSchema || "$ref" in memberSchema || "const" in memberSchema || "enum" in memberSchema;
          expect(hasTitle, `${name}: ${member} has no title`).toBe(true);
        }
      }
    },
  );

  it("has a schema file", () => {
    expect(Object.keys(schemas)).toEqual([
      "baseline",
      "batch",
      "bundle",
      "certification",
      "compare",
      "config",
      "fixtures",
      "freedoms",
      "manifest",
      "positions",
      "profile",
      "recording",
      "report-line",
      "report",
      "rule-family",
      "rules",
      "scenarios",
      "set-comparison",
      "vector-file",
      "wire",
      "words",
    ]);
  });
});

function objectsIn(value: unknown): JsonObject[] {
  if (Array.isArray(value)) return value.flatMap(objectsIn);
  if (!isObject(value)) return [];
  return [...(value.type === "object" ? [value] : []), ...Object.values(value).flatMap(objectsIn)];
}
