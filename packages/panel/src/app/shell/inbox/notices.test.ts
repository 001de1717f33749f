import { expect, it } from 'vitest'
import { loadFeatureWords, loadPanelWords, t } from '../../../lib/i18n.ts'
import { wordsOfNotice } from './notices.ts'

it('a notice of a kind from a newer server says that there is something new', async () => {
  await Promise.all([loadPanelWords(), loadFeatureWords()])
  expect(wordsOfNotice(t, 'en', { kind: 'of.tomorrow', params: {} })).toBe('There is something new.')
})
