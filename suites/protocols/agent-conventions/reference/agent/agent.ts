import { parse } from "yaml";
import { isObject, type Json, type JsonObject } from "../../../../../schemas/index.ts";
import { Timers } from "../timers.ts";
import type { Validity } from "../validity.ts";
import type { AgentConduct } from "./conduct.ts";
import { Mailroom } from "./mailroom.ts";
import { Tasks } from "./tasks.ts";

/** A specialist agent. It handles the messages of a hub, and sends its own messages through the hub. */
export class Agent {
  readonly #timers = new Timers();
  readonly #handledIds: string[] = [];
  readonly #invalidIds = new Set<string>();
  /** The number of stops so far: work that was scheduled before a stop does not begin after it. */
  #stopCount = 0;
  /** For each go that the agent has followed, the members that all answers to it share. */
  readonly #followedGoes: JsonObject[] = [];
  readonly #unknownTaskCounts = new Map<string, number>();
  readonly #id: string;
  readonly #conduct: AgentConduct;
  readonly #validity: Validity;
  readonly #mail: Mailroom;
  readonly #tasks: Tasks;

  constructor(id: string, conduct: AgentConduct, validity: Validity) {
    this.#id = id;
    this.#conduct = conduct;
    this.#validity = validity;
    this.#mail = new Mailroom(id, conduct, validity, this.#timers);
    this.#tasks = new Tasks(id, conduct, this.#mail, this.#timers);
  }

  /** Answers a hook; skips an unknown one. */
  ask(hook: string, input: JsonObject): JsonObject {
    this.#timers.runDue();
    switch (hook) {
      case "deliver":
        return this.#receive(
          typeof input.text === "string" ? (parse(input.text) as Json) : (input.message ?? null),
          input,
        );
      case "outbox":
        return input.as === "texts" ? { texts: this.#mail.takeTexts() } : { messages: this.#mail.takeMessages() };
      case "worked":
        return { handled: [...this.#handledIds], attempts: [...this.#tasks.attempts] };
      case "assign":
        this.#tasks.assign(input);
        return {};
      case "prepare":
        return this.#prepare(isObject(input.message) ? input.message : {});
      case "report":
        return { message: this.#report(isObject(input.message) ? input.message : {}, "it is invalid") };
      case "clock":
        this.#timers.advance(Number(input.advanceMs ?? 0));
        return { now: new Date(this.#timers.now()).toISOString() };
      default:
        return { skipped: `there is no hook ${hook}` };
    }
  }

  #prepare(message: JsonObject): JsonObject {
    const why = this.#conduct.judgesBeforeFilling() ? this.#validity(message)?.why : undefined;
    if (why !== undefined) return { refused: why };
    try {
      return { message: this.#mail.send(message) };
    } catch (error) {
      return { refused: error instanceof Error ? error.message : String(error) };
    }
  }

  #receive(received: Json, input: JsonObject): JsonObject {
    const delay = this.#conduct.handlingDelay();
    // Catches every error, including errors about an invalid report of the agent itself.
    const handle = (): JsonObject => {
      try {
        return this.#deliver(received, input);
      } catch (error) {
        return { raised: error instanceof Error ? error.message : String(error) };
      }
    };
    if (delay === 0) return handle();
    this.#timers.scheduleAfter(delay, handle);
    return {};
  }

  #deliver(received: Json, { text }: JsonObject): JsonObject {
    if (!isObject(received)) return { raised: "the message is not a mapping" };
    const message = text === undefined ? received : this.#conduct.changeLoadedMessage(received);
    if (!this.#conduct.isForMe(String(message.recipient), this.#id, String(message.message_type))) {
      const why = `the message is for ${message.recipient}`;
      if (this.#conduct.reportsMisaddressed()) this.#mail.send(this.#report(message, why));
      return { raised: why };
    }
    const why = this.#validity(message)?.why;
    if (why !== undefined) {
      const isEscalation = String(message.message_type).startsWith("escalation.");
      for (let reports = this.#conduct.reportCount(isEscalation); reports > 0; reports--)
        for (const recipient of [undefined, ...this.#conduct.copyRecipients()])
          this.#mail.send({ ...this.#report(message, why), ...(recipient === undefined ? {} : { recipient }) });
      const id = String(message.message_id);
      const isRepeated = this.#invalidIds.has(id);
      this.#invalidIds.add(id);
      if (this.#conduct.ignoresInvalid(isRepeated)) return { raised: why };
    }
    const id = String(message.message_id);
    if (!this.#conduct.handlesRepeats() && this.#handledIds.includes(id)) return {};
    if (this.#handle(message)) this.#handledIds.push(id);
    return {};
  }

  #report({ sender = "", message_id: id }: JsonObject, why: string): JsonObject {
    const report = this.#conduct.changeReport({
      message_type: "escalation.error",
      recipient: sender,
      severity: "HIGH",
      category: "validation",
      description: `The message ${id} is invalid: ${why}`,
      can_retry: false,
      requires_human: false,
      context: { operation: "receive", expected: "a valid message", actual: why },
      suggested_action: "Send a message that is valid by its schema.",
    });
    return this.#conduct.fillIn({ sender: this.#id, ...report }, new Date(this.#timers.now()).toISOString());
  }

  /** Handles a valid message. Returns false if the message is about an unknown task. */
  #handle(message: JsonObject): boolean {
    const [category = "", specific = ""] = String(message.message_type).split(".");
    const { sender = "", message_id: id = "", task_id: task, cue_id: cue } = message;
    const reply = { recipient: sender, acknowledging_message_id: id };
    const isNew = specific === "assignment" || specific === "handoff";
    if (category === "task" && !isNew && !this.#handlesTask(String(task), message, reply)) return false;
    const ack = category === "coord" ? undefined : this.#conduct.acknowledgmentFor(String(message.message_type));
    if (ack !== undefined) this.#mail.send({ ...reply, ...ack });
    if (category === "coord") this.#handleCue(specific, String(cue), message, reply);
    else if (message.message_type === "escalation.conflict") this.#followRuling(message);
    else if (category === "task" && isNew) {
      const { context, dependencies } = isObject(message.task) ? message.task : {};
      const awaitedTasks = (Array.isArray(dependencies) ? dependencies : []).map(String);
      const [ownTask, takenOverTask] = [String(task), this.#conduct.taskTakenOver(String(task))];
      const name = specific === "handoff" ? this.#tasks.copyWorkOrder(ownTask, takenOverTask) : ownTask;
      this.#tasks.begin({ task_id: name }, String(sender), isObject(context) ? context : {}, awaitedTasks);
    } else if (category === "task" && this.#conduct.completesTask(specific)) this.#tasks.complete(String(task));
    else if (category === "task" && isObject(message.progress))
      this.#tasks.handleStatus(String(task), String(message.progress.status));
    if (this.#conduct.resumesUpon(String(message.message_type))) this.#tasks.resume();
    return true;
  }

  /** Whether a message about a task is handled. An unknown task is neither the agent's nor a dependency of its tasks. */
  #handlesTask(task: string, message: JsonObject, reply: JsonObject): boolean {
    if (this.#tasks.knows(task)) return true;
    const earlierCount = this.#unknownTaskCounts.get(task) ?? 0;
    this.#unknownTaskCounts.set(task, earlierCount + 1);
    const reaction = this.#conduct.reactToUnknownTask(earlierCount);
    const reason = `The task ${task} is unknown.`;
    if (reaction === "refused")
      this.#mail.send({
        message_type: "ack.refused",
        ...reply,
        refused_details: { reason, reason_category: "invalid" },
      });
    if (reaction === "escalated") this.#mail.send(this.#report(message, reason));
    return reaction === "handled";
  }

  #handleCue(phase: string, cue: string, message: JsonObject, reply: JsonObject): void {
    const { go_details: details, stop_details: stop, target_agents: targets, sender = "" } = message;
    const isForMe = this.#conduct.joinsCue(Array.isArray(targets) ? targets.map(String) : undefined, this.#id);
    if (!isForMe) return;
    for (const { after = 0, ack } of this.#conduct.cueAcks(phase, cue)) {
      const send = (): unknown => this.#mail.send({ ...reply, ...ack });
      if (after === 0) send();
      else this.#timers.scheduleAfter(after, send);
    }
    const isRespected = this.#conduct.respectsStop(
      isObject(stop) ? stop : {},
      String(message.recipient),
      String(sender),
    );
    if (phase === "stop" && isRespected) {
      if (this.#conduct.cancelsScheduled()) this.#stopCount += 1;
      const after = this.#conduct.haltDelay();
      if (after === 0) this.#tasks.halt();
      else this.#timers.scheduleAfter(after, () => this.#tasks.halt());
      for (const go of this.#conduct.completesStoppedCues() ? this.#followedGoes.splice(0) : [])
        this.#mail.send({ message_type: "ack.completed", ...go });
    }
    if (phase !== "go" || !this.#conduct.followsGo(String(sender))) return;
    this.#followedGoes.push(reply);
    const startTime = this.#conduct.startTime(isObject(details) ? details : {}, this.#timers.now());
    const stopCount = this.#stopCount;
    this.#timers.scheduleAt(startTime, () => {
      if (stopCount === this.#stopCount) this.#tasks.begin({ cue_id: cue }, String(sender), {});
    });
    this.#timers.runDue();
  }

  #followRuling({ conflict_details: details, context }: JsonObject): void {
    const { suggested_winner: winner, proposed_resolution: resolution = "" } = isObject(details) ? details : {};
    const { task_id: task = "" } = isObject(context) ? context : {};
    if (winner === this.#id) this.#tasks.win(String(task));
    else if (winner !== undefined) this.#tasks.yield(String(task), String(resolution));
  }
}
