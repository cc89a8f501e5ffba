import { listEvents } from '../../../application/event/operations.ts';
import { bind, type RestBinding } from '../binding.ts';

/** What happened, by number. */
export const eventBindings: readonly RestBinding[] = [
  bind(listEvents, { method: 'GET', path: '/v1/events' }),
];
