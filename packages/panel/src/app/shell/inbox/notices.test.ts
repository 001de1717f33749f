import { expect, it } from 'vitest'
import { loadFeatureMessages, loadPanelMessages, t } from '../../../lib/i18n.ts'
import { noticeText } from './notices.ts'

it('shows a general text for a notice of an unknown kind', async () => {
  await Promise.all([loadPanelMessages(), loadFeatureMessages()])
  expect(noticeText(t, 'en', { kind: 'of.tomorrow', params: {} })).toBe('There is something new.')
})
