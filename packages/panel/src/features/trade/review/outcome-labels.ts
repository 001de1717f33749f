/** The messages about the outcome of a decision on a trading post. */
import type { PostDecision } from '@dala/model'
import { tFirst } from '../../../lib/i18n.ts'

export const outcomeLabel = ({ subject, to }: Pick<PostDecision, 'subject' | 'to'>): string =>
  tFirst([`moderation.outcome.${subject}.${to}`, `moderation.outcome.${to}`])
