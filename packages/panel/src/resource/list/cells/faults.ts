/** What is wrong with a pasted or typed value, in the reader's words. */
import { t } from '../../../lib/i18n.ts'
import { wordsOfIssue } from '../../../lib/issue-words.ts'
import type { CellFault } from './cell-words.ts'

export function wordsOfFault({ code, params }: CellFault): string {
  if (code === 'no-name') return t('bulk.cellNoName', params)
  if (code === 'many-names') return t('bulk.cellManyNames', params)
  return wordsOfIssue(code, params)
}
