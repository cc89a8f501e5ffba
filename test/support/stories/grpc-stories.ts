import type { DescMessage } from '@bufbuild/protobuf';
import { UNARY } from '../../../adapters/grpc/methods.ts';
import { viewMessage, type GrpcMethod } from '../../../adapters/grpc/method.ts';
import { pairsOf, type Pair } from '../../../adapters/grpc/codec/pairs.ts';
import type { ErrorKind, FieldError } from '../../../domain/kernel/errors.ts';
import { GrpcClient, type Answered } from '../clients/grpc-client.ts';
import type { Step, StoryFrontEnd, Told } from './story-front-end.ts';
import type { Body } from '../service/world.ts';

/** Tells stories over gRPC, by messages; what it sends and reads it makes by the schemas alone. */
export class GrpcStories implements StoryFrontEnd {
  private readonly client: GrpcClient;

  constructor(address: string) {
    this.client = new GrpcClient(address);
  }

  close(): void {
    this.client.close();
  }

  /** A member that no field stands for cannot be said. */
  says({ operation, input }: Step): boolean {
    const { method } = methodOf(operation);
    return Object.keys(input).every((name) =>
      method.input.fields.some(({ jsonName }) => jsonName === name),
    );
  }

  async perform({ credential, operation, input, key, expectedVersions }: Step): Promise<Told> {
    const bound = methodOf(operation);
    const message = said(bound.operation.input as never, bound.method.input, input, bound.items);
    const answer = await this.client.call(bound.method, message, {
      authorization: `Bearer ${credential}`,
      'idempotency-key': key,
      'if-match': expectedVersions?.map((version) => `"${version}"`).join(', '),
    });
    return toldBy(bound, answer);
  }
}

const methodOf = (operation: string): GrpcMethod => {
  const bound = UNARY.find((one) => one.operation.id === operation);
  if (!bound) throw new TypeError(`gRPC does not bind ${operation}`);
  return bound;
};

const said = (schema: never, message: DescMessage, value: Body, items = {}): object => {
  const fields: Body = { $typeName: message.typeName };
  for (const pair of pairsOf(schema, message, items)) {
    const member = value[pair.name];
    const { localName } = pair.field;
    if (pair.isList) fields[localName] = (member ?? []).map((one: unknown) => saidOne(pair, one));
    else if (member !== undefined && member !== null) fields[localName] = saidOne(pair, member);
    else if (pair.form.kind === 'string' && pair.isRequired) fields[localName] = '';
    else if (pair.form.kind === 'json' && pair.isRequired) fields[localName] = new Uint8Array();
  }
  return fields;
};

const saidOne = ({ form }: Pair, value: unknown): unknown => {
  switch (form.kind) {
    case 'message':
      return said(form.schema as never, form.message, value as Body);
    case 'json':
      return Buffer.from(JSON.stringify(value));
    case 'int64':
      return BigInt(value as number);
    case 'base64':
      return Buffer.from(value as string, 'base64');
    default:
      return value;
  }
};

const toldBy = (
  bound: GrpcMethod,
  { code, detail, message, trailers, details }: Answered,
): Told => {
  const [replayed] = trailers.get('idempotency-replayed');
  const isReplay = replayed === 'true';
  if (code !== 0) {
    const { metadata } = details['ErrorInfo'] as { metadata: { kind: ErrorKind } };
    return {
      isReplay,
      refusal: {
        kind: metadata.kind,
        detail,
        errors: (details['BadRequest']?.fieldViolations ?? []).map(errorOf),
        requestId: details['RequestInfo'].requestId as string,
      },
    };
  }
  const answer = message as unknown as Body;
  const { method } = bound;
  const view = bound.answer === null ? answer : answer[method.output.fields[0]!.localName];
  const [etag] = trailers.get('etag');
  const [created] = trailers.get('x-created');
  const version = /^"(\d+)/.exec(String(etag ?? ''))?.[1];
  return {
    isReplay,
    view: shown(bound.operation.output as never, viewMessage(bound), view),
    ...(version === undefined ? {} : { version: Number(version) }),
    ...(created === undefined ? {} : { isNew: created === 'true' }),
  };
};

const errorOf = ({ field, reason, description }: Body): FieldError => ({
  path: String(field)
    .replaceAll(/\[(\d+)\]/g, '.$1')
    .replace(/^\.?(?=.)/, '/')
    .replaceAll('.', '/'),
  keyword: String(reason)
    .toLowerCase()
    .replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase()),
  message: String(description),
});

const shown = (schema: never, message: DescMessage, value: Body): Body => {
  const view: Body = {};
  for (const pair of pairsOf(schema, message)) {
    const member = value[pair.field.localName];
    if (pair.isList) {
      if (member.length > 0 || pair.isRequired)
        view[pair.name] = member.map((one: unknown) => shownOne(pair, one));
    } else if (member !== undefined) view[pair.name] = shownOne(pair, member);
    else if (pair.isNullable) view[pair.name] = null;
  }
  return view;
};

const shownOne = ({ form }: Pair, value: unknown): unknown => {
  switch (form.kind) {
    case 'message':
      return shown(form.schema as never, form.message, value as Body);
    case 'json':
      return JSON.parse(Buffer.from(value as Uint8Array).toString());
    case 'int64':
      return Number(value);
    case 'base64':
      return Buffer.from(value as Uint8Array).toString('base64');
    case 'step':
      return stepOf(value as Body);
    case 'refusal':
      return { ...(value as Body), $typeName: undefined };
    default:
      return value;
  }
};

const stepOf = ({ $typeName: _, method, workflowStep, workflowTotal, ...step }: Body): Body => {
  void method;
  return {
    ...step,
    ...(workflowStep === undefined ? {} : { workflowStep: Number(workflowStep) }),
    ...(workflowTotal === undefined ? {} : { workflowTotal: Number(workflowTotal) }),
  };
};
