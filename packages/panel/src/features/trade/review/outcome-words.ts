/** What a decision has come to, in words. */
import type { PostDecision } from '@dala/model'
import { tFirst } from '../../../lib/i18n.ts'

export const wordsOfState = ({ subject, to }: Pick<PostDecision, 'subject' | 'to'>): string =>
  tFirst([`moderation.outcome.${subject}.${to}`, `moderation.outcome.${to}`])
