import { isObject, type JsonObject } from "../../../../../schemas/index.ts";
import type { Timers } from "../timers.ts";
import type { AgentConduct, WorkFault } from "./conduct.ts";
import type { Mailroom } from "./mailroom.ts";

/** How the work on a task or cue proceeds, as its operator has ordered. */
export type WorkOrder = JsonObject;

interface AgentTask {
  /** The member with its id in other messages. */
  about: { task_id: string } | { cue_id: string };
  work: WorkOrder;
  assigner: string;
  facts: JsonObject;
  /** Tasks that have to be complete before it begins. */
  needs: readonly string[];
  /** All tasks on which it was said to depend. */
  dependencies: readonly string[];
  /** It waits for a ruling. */
  isDisputed: boolean;
  isHalted: boolean;
  /** A fault has ended it. */
  hasFailed: boolean;
  pieces: number;
  attemptCount: number;
}

/** The work of an agent. */
export class Tasks {
  readonly attempts: JsonObject[] = [];
  readonly #works = new Map<string, WorkOrder>();
  readonly #complete = new Set<string>();
  /** The names of tasks that were handed over. */
  readonly #handed = new Set<string>();
  readonly #tasks = new Map<string, AgentTask>();
  readonly #conduct: AgentConduct;
  readonly #mail: Mailroom;
  readonly #timers: Timers;
  readonly #id: string;

  constructor(id: string, conduct: AgentConduct, mail: Mailroom, timers: Timers) {
    this.#id = id;
    this.#conduct = conduct;
    this.#mail = mail;
    this.#timers = timers;
  }

  assign({ task_id, cue_id, ...work }: JsonObject): void {
    this.#works.set(String(task_id ?? cue_id), work);
  }

  /** The task under its own name or another one, with its work order. */
  named(task: string, name: string): string {
    const work = this.#works.get(task);
    if (work !== undefined) this.#works.set(name, work);
    return name;
  }

  /** Whether it has this task, or a task that depends on it. */
  knows(name: string): boolean {
    const isNeeded = ({ dependencies }: AgentTask): boolean =>
      dependencies.some((need) => need === name || this.#conduct.meets(need, name));
    return this.#tasks.has(name) || [...this.#tasks.values()].some(isNeeded);
  }

  begin(about: AgentTask["about"], assigner: string, facts: JsonObject, dependencies: readonly string[] = []): void {
    const name = Object.values(about)[0] as string;
    const work = this.#works.get(name) ?? {};
    const needs = this.#conduct.waitsFor(dependencies);
    const { conflict } = work;
    const task: AgentTask = {
      about,
      work,
      assigner,
      facts,
      needs,
      dependencies,
      isDisputed: isObject(conflict) && !this.#conduct.beginsInConflict(),
      isHalted: false,
      hasFailed: false,
      pieces: 0,
      attemptCount: 0,
    };
    if (this.#conduct.resumesWithOthers()) for (const agentTask of this.#tasks.values()) this.#resume(agentTask);
    // Two copies of a message are not handled in parallel.
    const before = this.#tasks.get(name);
    if (before !== undefined) before.isHalted = true;
    this.#tasks.set(name, task);
    if (isObject(conflict) && this.#conduct.escalates(String(conflict.resolution))) this.#dispute(task, conflict);
    if (work.work !== undefined) this.#piece(task);
  }

  /** Records that a task is complete, and begins the tasks that waited for it. */
  complete(name: string): void {
    this.#complete.add(name);
    for (const task of this.#tasks.values())
      if (task.needs.some((need) => this.#conduct.meets(need, name)) && task.work.work !== undefined) this.#piece(task);
  }

  /** Handles a message about a task for which other tasks may wait. */
  hear(name: string, status: string): void {
    if (!this.#conduct.givesUpAt(status)) return;
    for (const task of this.#tasks.values()) if (task.needs.includes(name)) task.isHalted = true;
  }

  /** Continues all work that a fault has ended. */
  resume(): void {
    for (const task of this.#tasks.values()) this.#resume(task);
  }

  /** Ends all work, as a stop demands. */
  halt(): void {
    const all = [...this.#tasks.values()];
    const report = this.#conduct.reportAfterStop();
    for (const task of all.slice(this.#conduct.spared(all.length))) {
      if (this.#isWaiting(task) && !this.#conduct.stopsWaiting("task")) continue;
      if (report !== undefined && !task.isHalted && task.pieces > 0 && "task_id" in task.about)
        this.#mail.send({ recipient: task.assigner, ...task.about, ...report });
      if (!task.isHalted) this.#say("stops", task);
      task.isHalted = true;
    }
  }

  /** Continues a task that waited for a resource. */
  win(name: string): void {
    const task = this.#tasks.get(name);
    if (task === undefined || !task.isDisputed) return;
    task.isDisputed = false;
    if (task.work.work !== undefined) this.#piece(task);
  }

  /** Gives a task up if another agent is to continue it. */
  yield(name: string, resolution: string): void {
    const task = this.#tasks.get(name);
    if (!this.#conduct.yields(resolution)) this.win(name);
    else if (task !== undefined) task.isHalted = true;
  }

  #isWaiting({ needs }: AgentTask): boolean {
    const complete = [...this.#complete];
    return needs.some((need) => !complete.some((each) => this.#conduct.meets(need, each)));
  }

  #piece(task: AgentTask, isHalted = task.isHalted): void {
    if (isHalted || task.isDisputed || this.#isWaiting(task)) return;
    this.attempts.push({ ...task.about, at: this.#conduct.reportedTime(new Date(this.#timers.now()).toISOString()) });
    const { work, everyMs = 10_000 } = task.work;
    const isFault = work === "transient" || work === "missing" || work === "invariant" || work === "late";
    if (isFault && this.#conduct.haltsOn(work) && this.#conduct.retries(work)) this.#tryAgain(task, work);
    else if (isFault && this.#conduct.haltsOn(work)) this.#fail(task, work);
    else if (work === "handoff") this.#handOver(task);
    else {
      if (task.pieces === 0) this.#say("begins", task);
      task.pieces += 1;
      if ("task_id" in task.about && work !== "quiet") this.#progress(task);
      this.#timers.later(Number(everyMs), () => this.#piece(task));
    }
  }

  #progress({ about, assigner, pieces }: AgentTask): void {
    const progress = { percent_complete: Math.min(99, pieces), status: "on_track" };
    const recipient = this.#conduct.reportsProgressTo(assigner);
    this.#mail.send({ message_type: "task.update", recipient, ...about, progress });
  }

  #say(event: "begins" | "fails" | "stops", { about, assigner }: AgentTask): void {
    if (!("task_id" in about)) return;
    for (const report of this.#conduct.says(event, about.task_id)) this.#mail.send({ recipient: assigner, ...report });
  }

  #tryAgain(task: AgentTask, fault: WorkFault): void {
    task.attemptCount += 1;
    const pause = this.#conduct.pauseAfter(task.attemptCount);
    if (pause === undefined) this.#fail(task, fault);
    else this.#timers.later(pause, () => this.#piece(task, task.isHalted && this.#conduct.stopsWaiting("attempt")));
  }

  #fail(task: AgentTask, fault: WorkFault): void {
    const category = { transient: "external", missing: "resource", invariant: "invariant", late: "timeout" }[fault];
    task.isHalted = true;
    task.hasFailed = true;
    const report = {
      message_type: "escalation.error",
      recipient: this.#conduct.reportsTo(task.assigner),
      severity: "HIGH",
      category,
      description: `The work cannot go on: ${fault}.`,
      escalation_tier: 2,
      suggested_action: "Say how to go on.",
      can_retry: false,
      requires_human: false,
      context: { operation: "work", expected: "that it goes on", actual: String(fault), ...task.about },
    };
    this.#mail.send(this.#conduct.faultReport(report, fault));
    this.#say("fails", task);
    const resumes = this.#conduct.resumesAfter();
    if (resumes !== undefined) this.#timers.later(resumes, () => this.#resume(task));
  }

  /** Continues after a fault has ended the work. */
  #resume(task: AgentTask): void {
    if (!task.hasFailed) return;
    task.hasFailed = false;
    task.isHalted = false;
    task.work = { ...task.work, work: this.#conduct.reportsResumed() ? "steady" : "quiet" };
    this.#piece(task);
    task.isHalted = this.#conduct.resumesOnce();
  }

  #handOver(task: AgentTask): void {
    const { about, work, facts } = task;
    const contract = (Array.isArray(work.contract) ? work.contract : []).map(String);
    const to = String(work.to);
    const name = Object.values(about)[0] as string;
    const context = this.#conduct.handedOver(contract, facts, this.#handed.has(name));
    this.#handed.add(name);
    const handoff = { from_agent: this.#id, to_agent: to, context };
    const named = "task_id" in about ? { task_id: this.#conduct.handsOverAs(name) } : about;
    this.#mail.send({ message_type: "task.handoff", recipient: this.#conduct.handsTo(to), ...named, handoff });
    if (!this.#conduct.worksOnAfterHandoff()) return;
    task.work = { ...work, work: "steady" };
    this.#piece(task);
  }

  #dispute({ about, assigner }: AgentTask, { with: opponent = "", resource = "", resolution = "" }: JsonObject): void {
    this.#mail.send({
      message_type: "escalation.conflict",
      recipient: assigner,
      severity: "MEDIUM",
      category: "conflict",
      description: `${opponent} claims ${resource} as well.`,
      context: { operation: "claim", ...about },
      conflict_details: {
        conflict_type: "resource",
        agents_involved: [this.#id, String(opponent)],
        resource_in_question: String(resource),
        proposed_resolution: String(resolution),
      },
    });
  }
}
