import { KIND_STATUS } from '../../../adapters/http/problem.ts';
import type { RestBinding } from '../../../adapters/rest/binding.ts';
import { fillPath } from '../../../adapters/rest/links.ts';
import type { ErrorKind } from '../../../domain/kernel/errors.ts';
import type { Step, StoryFrontEnd, Told } from './story-front-end.ts';
import { Client, type Answer, type Body } from '../service/world.ts';

/** Tells stories over the wire, by the bindings of REST. */
export class RestStories implements StoryFrontEnd {
  constructor(
    private readonly url: string,
    private readonly bindings: readonly RestBinding[],
  ) {}

  async perform({ credential, operation, input, key, expectedVersions }: Step): Promise<Told> {
    const binding = this.bindingOf(operation, input);
    const { path, body } = requestOf(binding, input);
    const etags = expectedVersions?.map((version) => `"${version}"`).join(', ');
    const headers = {
      ...(key === undefined ? {} : { 'idempotency-key': key }),
      ...(etags === undefined ? {} : { 'if-match': etags }),
    };
    const client = new Client(this.url, credential);
    return toldBy(binding, await client.call(binding.options.method, path, body, headers));
  }

  /** The one that fixes the most of what the input says. */
  private bindingOf(operation: string, input: Body): RestBinding {
    const [binding] = this.bindings
      .filter((one) => one.operation.id === operation)
      .filter((one) => fixedOf(one).every(([name, value]) => input[name] === value))
      .sort((a, b) => fixedOf(b).length - fixedOf(a).length);
    if (!binding) throw new TypeError(`REST does not bind ${operation}`);
    return binding;
  }
}

const fixedOf = ({ fixed = {} }: RestBinding): readonly (readonly [string, unknown])[] =>
  Object.entries(fixed);

/** The input, laid apart as the parts of the binding are. What no part takes goes into the body, to be refused there. */
const requestOf = (
  binding: RestBinding,
  input: Body,
): { readonly path: string; readonly body: unknown } => {
  const { options, parameters, query, body } = binding;
  const params = parameters.map(([name, member]) => [name, String(input[member])]);
  const inQuery = Object.keys(query.properties);
  const pairs = inQuery.flatMap((name): [string, string][] =>
    input[name] === undefined ? [] : [[name, String(input[name])]],
  );
  const elsewhere = new Set([
    ...parameters.map(([, member]) => member),
    ...inQuery,
    ...fixedOf(binding).map(([name]) => name),
  ]);
  const rest = Object.entries(input).filter(([name]) => !elsewhere.has(name));
  const path = fillPath(options.path, Object.fromEntries(params));
  return {
    path: pairs.length === 0 ? path : `${path}?${new URLSearchParams(pairs).toString()}`,
    body: !body ? undefined : options.whole ? input[options.whole] : Object.fromEntries(rest),
  };
};

const toldBy = ({ options }: RestBinding, { status, body, headers }: Answer<Body>): Told => {
  const isReplay = headers.get('idempotency-replayed') === 'true';
  const kind = kinds.get(status);
  if (kind) {
    const { detail, errors, requestId } = body;
    return { isReplay, refusal: { kind, detail, errors: errors ?? [], requestId } };
  }
  const version = /^"(\d+)"$/.exec(headers.get('etag') ?? '')?.[1];
  return {
    isReplay,
    view: body,
    ...(version === undefined ? {} : { version: Number(version) }),
    ...(options.status === 201 ? { isNew: status === 201 } : {}),
  };
};

const kinds: ReadonlyMap<number, ErrorKind> = new Map(
  Object.entries(KIND_STATUS).map(([kind, status]) => [status, kind as ErrorKind]),
);
