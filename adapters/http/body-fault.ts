import type { IncomingMessage } from 'node:http';
import type { NotaryError } from '../../domain/kernel/errors.ts';

const faults = new WeakMap<IncomingMessage, NotaryError>();

/** Tells whoever reads the body, now or later, that it will never be whole. The connection stays, for the answer. */
export const failBody = (request: IncomingMessage, fault: NotaryError): void => {
  faults.set(request, fault);
  if (request.listenerCount('error') > 0) request.emit('error', fault);
};

export const bodyFault = (request: IncomingMessage): NotaryError | undefined => faults.get(request);
