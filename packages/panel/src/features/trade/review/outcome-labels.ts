/** The messages about the outcome of a decision on a trading post. */
import type { PostDecision } from '@dala/model'
import { firstTranslation } from '../../../lib/i18n.ts'

export const outcomeLabel = ({ subject, to }: Pick<PostDecision, 'subject' | 'to'>): string =>
  firstTranslation([`moderation.outcome.${subject}.${to}`, `moderation.outcome.${to}`])
