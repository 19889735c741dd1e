import { describe } from 'vitest';
import { captureChecks } from './capture-rules.ts';
import { chatReplyRules } from './chat-replies.ts';
import { ownAiChatRules } from './own-ai-chat.ts';

describe.concurrent('recorded own-ai-chat', () => captureChecks([...ownAiChatRules, ...chatReplyRules]));
