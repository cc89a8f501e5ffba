export {
  OwnAgentSchema,
  ownAgentView as presentAgent,
} from '../../../application/identity/agent-view.ts';
