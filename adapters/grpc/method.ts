import type { DescMessage, DescMethod } from '@bufbuild/protobuf';
import type { Static, TObject, TSchema } from 'typebox';
import type { Operation } from '../../application/call/operation.ts';

/** How gRPC calls an operation. Everything that is not said here is in the operation. */
export interface GrpcMethod {
  readonly operation: Operation;
  readonly method: DescMethod;
  /** The field of the answer that is the view; by default the answer itself is it. */
  readonly answer: string | null;
  readonly fixed: object;
  /** Messages of lists whose items the operation leaves open, because it checks each by itself. */
  readonly items: { readonly [member: string]: TObject };
}

interface Options<I extends TObject> {
  readonly answer?: string;
  readonly fixed?: Partial<Static<I>>;
  readonly items?: GrpcMethod['items'];
}

export const bind = <I extends TObject, R, V extends TSchema>(
  operation: Operation<I, R, V>,
  method: DescMethod,
  { answer = undefined, fixed = {}, items = {} }: Options<I> = {},
): GrpcMethod => ({ operation, method, answer: answer ?? null, fixed, items });

/** As it stands in a path and in a log line: `notary.v1.RecordService/Create`. */
export const nameOf = ({ parent, name }: DescMethod): string => `${parent.typeName}/${name}`;

/** The message of the view. @throws TypeError where the answer has no such field. */
export const viewMessage = ({ method, answer }: GrpcMethod): DescMessage => {
  if (answer === null) return method.output;
  const message = method.output.fields.find(({ name }) => name === answer)?.message;
  if (!message || method.output.fields.length > 1)
    throw new TypeError(`${method.output.typeName} is not made of ${answer}`);
  return message;
};
