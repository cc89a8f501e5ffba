import { createHash } from 'node:crypto';
import packageJson from '../../../package.json' with { type: 'json' };
import { Client, type Answer, type Body } from '../service/world.ts';
import type { DocumentedAnswers } from './documented-answers.ts';

/** One answer as a caller sees it, without what differs from one run to the next. */
export interface Seen {
  readonly status: number;
  readonly headers: { readonly [name: string]: string };
  /** A line for each leaf, in the order of the body: its JSON Pointer and its value. */
  readonly body: readonly string[];
}

/** Records every answer of the clients that it makes, under the request and its caller. */
export class WireRecorder {
  readonly seen = new Map<string, Seen>();
  /** A line for each answer: request, caller, status, problem code, and a digest of what the caller sees. */
  readonly pins: string[] = [];
  /** Each difference between an answer and the OpenAPI document. */
  readonly faults: string[] = [];
  /** The method and path of each request, and the code of each refusal. */
  readonly paths = new Set<string>();
  readonly codes = new Set<string>();
  private readonly names = new Map<string, string>();

  constructor(
    private readonly baseUrl: string,
    private readonly documented: DocumentedAnswers,
  ) {}

  /** Gives an id a name, so that the answers show which party or record they are about. */
  name<T>(id: T, name: string): T {
    this.names.set(String(id), `<${name}>`);
    return id;
  }

  client(who: string, { key }: { readonly key: string | null }): Client {
    return new RecordedClient(this, who, this.baseUrl, key);
  }

  note(who: string, method: string, path: string, answer: Answer): void {
    const { status, headers, body } = answer;
    const asked = `${method} ${this.plain(path)} as ${who}`;
    let name = asked;
    for (let again = 2; this.seen.has(name); again++) name = `${asked}, ${again}`;
    this.paths.add(`${method} ${path.split('?')[0]!}`);
    const code = typeof body['code'] === 'string' ? [body['code']] : [];
    for (const one of code) this.codes.add(one);
    const isJson = /[/+]json\b/.test(headers.get('content-type') ?? '') && status !== 304;
    const isDocument = path === '/docs/openapi.json';
    const seen: Seen = {
      status,
      headers: this.headersOf(headers),
      body: isDocument ? ['openapi.snapshot.json'] : isJson ? this.lines(body, '') : [],
    };
    this.seen.set(name, seen);
    const digest = createHash('sha256').update(JSON.stringify(seen)).digest('hex').slice(0, 8);
    const template = this.documented.templateOf(path);
    this.pins.push([method, template, `(${who})`, status, ...code, digest].join(' '));
    for (const fault of this.documented.faultsOf(method, path, answer))
      this.faults.push(`${name}, ${status}: ${fault}`);
  }

  private headersOf(headers: Headers): Seen['headers'] {
    const own = [...headers].filter(([name]) => !OF_THE_SERVER.has(name));
    return Object.fromEntries(
      own.map(([name, value]) => [
        name,
        COUNTED.test(name) ? value.replace(/\d+/g, 'n') : this.plain(value),
      ]),
    );
  }

  private lines(value: unknown, at: string): readonly string[] {
    if (typeof value !== 'object' || value === null) return [`${at} ${this.leaf(value, at)}`];
    const members = Object.entries(value);
    if (members.length === 0) return [`${at} ${Array.isArray(value) ? '[]' : '{}'}`];
    return members.flatMap(([name, member]) => this.lines(member, `${at}/${this.plain(name)}`));
  }

  private leaf(value: unknown, at: string): string {
    if (typeof value === 'number' && MEASURED.test(at)) return '<number>';
    if (typeof value !== 'string') return JSON.stringify(value);
    if (value === packageJson.version) return '<version>';
    return JSON.stringify(this.plain(value));
  }

  private plain(text: string): string {
    return ABSTRACT.reduce(
      (said, [pattern, name]) => said.replace(pattern, name),
      [...this.names].reduce(
        (said, [id, name]) => said.replaceAll(id, name),
        text.replaceAll(this.baseUrl, '<base>'),
      ),
    );
  }
}

class RecordedClient extends Client {
  constructor(
    private readonly recorder: WireRecorder,
    private readonly who: string,
    url: string,
    key: string | null,
  ) {
    super(url, key);
  }

  override async call<T = Body>(
    method: string,
    path: string,
    body?: unknown,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<Answer<T>> {
    const answer = await super.call<T>(method, path, body, headers);
    this.recorder.note(this.who, method, path, answer as Answer);
    return answer;
  }
}

/** Node's own. */
const OF_THE_SERVER: ReadonlySet<string> = new Set([
  'connection',
  'date',
  'keep-alive',
  'transfer-encoding',
  'content-length',
]);
const COUNTED = /^(?:x-)?ratelimit|^retry-after$/;
/**
 * Members that count time or bytes, what a job adds to a log in the meantime, and the numbers of events: refusals and uses
 * of keys get theirs when their sum is due.
 */
const MEASURED =
  /(?:Seconds|Ms|Bytes|latency|uptime|lag)\w*$|^\/(?:treeSize|iat)$|\/sequence$|\/(?:result|progress)\/(?:entries|chains|healthy)$/;

const ABSTRACT: readonly (readonly [RegExp, string])[] = [
  [/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, '<uuid>'],
  [/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g, '<time>'],
  [/(?<![0-9a-f])[0-9a-f]{64}(?![0-9a-f])/g, '<hash>'],
  [/(?<![0-9a-f])[0-9a-f]{32}(?![0-9a-f])/g, '<key id>'],
  [/https:\/\/(?:localhost|\w+\.invalid):\d+/g, '<issuer>'],
  [/whsec_[0-9A-Za-z]{43}/g, '<webhook secret>'],
  [/\bt=\d{10},/g, 't=<unix>,'],
  [/svc_[a-z]{3}_[0-9A-Za-z]{4,}/g, '<key>'],
  [/eyJ[\w-]+\.[\w-]+\.[\w-]+/g, '<jws>'],
  [/(?<![\w+/-])(?=\S*[0-9])(?=\S*[A-Z])[\w+/-]{40,}\.[\w-]{22}(?![\w-])/g, '<cursor>'],
  // 32 bytes in base64url may hold no digit.
  [/(?<![\w+/-])(?=\S*[a-z])(?=\S*[A-Z])[\w-]{43}(?![\w+/=-])/g, '<bytes>'],
  [/(?<![\w+/-])(?=\S*[0-9])(?=\S*[A-Z])[\w+/-]{40,}={0,2}/g, '<bytes>'],
  [/\bin \d+ s\b/g, 'in n s'],
  [/\bthan to, which is \d+/g, 'than to, which is n'],
];
