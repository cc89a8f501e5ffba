import { NotaryError } from '../../domain/kernel/errors.ts';

/** Ends a stream that is not at its end: an OK would say that nothing more was to come, or that all was answered. */
export class ServiceStops extends NotaryError {
  constructor(suggestion: string) {
    super('SERVICE_UNAVAILABLE', 'This node of the service stops.', { suggestion });
  }
}
