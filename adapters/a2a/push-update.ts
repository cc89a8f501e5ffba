import type { TaskUpdateForm } from '../../application/delivery/push-notification.ts';
import type { JsonObject } from '../../domain/kernel/canonical-json.ts';
import { stateFor, wireState, type Standing } from './task.ts';
import { eventTo03 } from './v0-3.ts';

/**
 * A push notification (A2A 1.0 section 4.3.3): of 1.0 a StreamResponse with a status update, of 0.3 a task, each without
 * artifacts. The state is that of the event, in the words of the streams. Guidance is left out: it says what may be done
 * when somebody looks, and this says what happened.
 */
export const pushUpdate: TaskUpdateForm = ({
  version,
  taskId,
  contextId,
  at,
  readerAgentId,
  metadata,
  ...told
}) => {
  const standing = told as unknown as Standing;
  const state = wireState(stateFor(standing, { agentId: readerAgentId }));
  const status: JsonObject = { state, timestamp: at };
  return version === '1.0'
    ? { statusUpdate: { taskId, contextId, status, metadata } }
    : eventTo03({ task: { id: taskId, contextId, status, metadata } });
};
