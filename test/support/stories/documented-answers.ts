import { Ajv2020 } from 'ajv/dist/2020.js';
import { resolved } from '../runner/resolved.ts';
import type { Answer, Body } from '../service/world.ts';

/** Checks answers against the OpenAPI document that the service serves. */
export class DocumentedAnswers {
  private readonly ajv = new Ajv2020({
    strict: false,
    allErrors: true,
    formats: { uuid: true, 'date-time': true },
  });
  private readonly validators = new Map<string, (value: unknown) => readonly string[]>();

  constructor(private readonly document: Body) {
    this.ajv.addSchema({ $id: 'openapi', ...document });
  }

  /** The path of the document that a request matches. Returns the request's own path if there is none. */
  templateOf(path: string): string {
    const [asked] = path.split('?') as [string];
    const matches = Object.keys(this.document['paths'] as Body).filter((template) =>
      new RegExp(`^${template.replaceAll('.', '\\.').replace(/\{\w+\}/g, '[^/]+')}$`).test(asked),
    );
    return matches.sort((a, b) => a.split('{').length - b.split('{').length)[0] ?? asked;
  }

  /** Every difference between an answer and the document: status, media type, members, headers and problem code. */
  faultsOf(method: string, path: string, { status, headers, body }: Answer): readonly string[] {
    const found = this.responseOf(method, path, status);
    if (found === null) return ['the document has no such status'];
    const [place, response] = found;
    const described = Object.keys((response['headers'] ?? {}) as Body);
    const [mediaType] = String(headers.get('content-type') ?? '').split(';') as [string];
    const isJson = /[/+]json$/.test(mediaType);
    const known = new Set([
      ...described.map((name) => name.toLowerCase()),
      ...OF_EVERY_ANSWER,
      ...(isJson ? [] : OF_PAGES),
    ]);
    const faults: string[] = [...headers.keys()]
      .filter((name) => !known.has(name))
      .map((name) => `the header ${name} is not described`);
    if (status === 304 || method === 'HEAD') return faults;
    const content = (response['content'] as Body)[mediaType] as Body | undefined;
    if (!content) return [...faults, `the media type ${mediaType} is not described`];
    if (!isJson) return faults;
    const pointer = `${place}/content/${mediaType.replaceAll('/', '~1')}/schema`;
    faults.push(
      ...this.validator(encodeURI(pointer))(body),
      ...this.undescribed(content['schema'] as Body, body).map((at) => `${at} is not described`),
    );
    if (status >= 400 && !this.codesOf(content).includes(body['code']))
      faults.push(`no example has the code ${String(body['code'])}`);
    return faults;
  }

  /** Where the document describes the response, and what it says there. */
  private responseOf(method: string, path: string, status: number): readonly [string, Body] | null {
    const template = this.templateOf(path);
    const operations = this.document['paths'][template] as Body | undefined;
    const verb = method === 'HEAD' ? 'get' : method.toLowerCase();
    const given = operations?.[verb]?.['responses'][status] as Body | undefined;
    const shared = (name: string): readonly [string, Body] => {
      const pointer = `/components/responses/${name}`;
      return [pointer, this.document['components'].responses[name] as Body];
    };
    if (given?.['$ref'] !== undefined) return shared(String(given['$ref']).split('/').at(-1)!);
    const escaped = template.replaceAll('~', '~0').replaceAll('/', '~1');
    if (given) return [`/paths/${escaped}/${verb}/responses/${status}`, given];
    // The document describes these two for all paths at once.
    if (status === 405) return shared('MethodNotAllowed');
    return !operations && status === 404 ? shared('NotFound') : null;
  }

  private codesOf(content: Body): readonly unknown[] {
    return Object.values((content['examples'] ?? {}) as Body).map(
      (example: Body) => resolved(this.document, example)['value'].code as unknown,
    );
  }

  private validator(pointer: string): (value: unknown) => readonly string[] {
    const known = this.validators.get(pointer);
    if (known) return known;
    const validate = this.ajv.compile({ $ref: `openapi#${pointer}` });
    const check = (value: unknown): readonly string[] =>
      validate(value)
        ? []
        : (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
    this.validators.set(pointer, check);
    return check;
  }

  /** Members that no schema describes. JSON Schema accepts them, but a reader of the document does not know them. */
  private undescribed(schema: Body, value: unknown, at = ''): readonly string[] {
    const ways = this.waysOf(schema);
    if (Array.isArray(value))
      return ways.flatMap((way) =>
        way['items']
          ? value.flatMap((item, index) =>
              this.undescribed(way['items'] as Body, item, `${at}/${index}`),
            )
          : [],
      );
    const known = Object.assign({}, ...ways.map((way) => way['properties'] ?? {})) as {
      readonly [name: string]: Body;
    };
    if (
      typeof value !== 'object' ||
      value === null ||
      Object.keys(known).length === 0 ||
      ways.some((way) => way['additionalProperties'] === true)
    )
      return [];
    return Object.entries(value).flatMap(([name, inner]) =>
      known[name] ? this.undescribed(known[name], inner, `${at}/${name}`) : [`${at}/${name}`],
    );
  }

  /** The schema and those that it consists of. */
  private waysOf(schema: Body): readonly Body[] {
    const one = resolved(this.document, schema);
    const parts = [...((one['anyOf'] ?? []) as Body[]), ...((one['allOf'] ?? []) as Body[])];
    return [one, ...parts.flatMap((part) => this.waysOf(part))];
  }
}

/** Headers of HTTP, and of the protection of browsers, that the document does not repeat for each answer. */
const OF_EVERY_ANSWER: readonly string[] = [
  'connection',
  'content-length',
  'content-type',
  'date',
  'keep-alive',
  'transfer-encoding',
  'cache-control',
  'content-security-policy',
  'cross-origin-opener-policy',
  'referrer-policy',
  'x-content-type-options',
  'x-frame-options',
];
const OF_PAGES: readonly string[] = ['content-encoding', 'vary'];
