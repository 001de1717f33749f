import { expect, it } from 'vitest'
import { loadFeatureWords, loadPanelWords, t } from '../../../lib/i18n.ts'
import { wordsOfNotice } from './notices.ts'

it('shows a general text for a notice of an unknown kind', async () => {
  await Promise.all([loadPanelWords(), loadFeatureWords()])
  expect(wordsOfNotice(t, 'en', { kind: 'of.tomorrow', params: {} })).toBe('There is something new.')
})
