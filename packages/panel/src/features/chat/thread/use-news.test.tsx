import type { ChatMessage } from '@dala/model'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { renderHook } from '@testing-library/react'
import type { ReactNode } from 'react'
import { beforeAll, expect, it } from 'vitest'
import { aybek, chatMessage } from '../../../testing/chat-message.ts'
import { loadFeatureMessages, t } from '../../../lib/i18n.ts'
import { useNewMessages } from './use-new-messages.ts'

const reader = 4
const gulshat = { ...aybek, id: reader, username: 'Gulshat' }
const message = (seq: number, sender: number, text: string | null) =>
  chatMessage(seq, { text, sender: sender === reader ? gulshat : aybek })
const cache = new QueryClient()
const wrapper = ({ children }: { children: ReactNode }) => (
  <QueryClientProvider client={cache}>{children}</QueryClientProvider>
)
const renderThread = (messages: readonly ChatMessage[], isAtEnd: boolean) =>
  renderHook(
    (now: { messages: readonly ChatMessage[]; isAtEnd: boolean }) =>
      useNewMessages(1, reader, now.messages, { isAtEnd: now.isAtEnd, mayMark: false, lastSeq: 1 }),
    { wrapper, initialProps: { messages, isAtEnd } },
  )

beforeAll(loadFeatureMessages)

it('announces messages of others in the open room, shortened, and no earlier messages', () => {
  const oldMessage = message(1, 5, 'Is it late?')
  const { result, rerender } = renderThread([oldMessage], true)
  expect(result.current.announcement).toBe('')
  rerender({ messages: [oldMessage, message(2, reader, 'No')], isAtEnd: true })
  expect(result.current.announcement).toBe('')
  const longText = 'When? '.repeat(60)
  rerender({ messages: [oldMessage, message(2, reader, 'No'), message(3, 5, longText)], isAtEnd: true })
  expect(result.current.announcement).toBe(t('chat.arrivedFrom', { name: 'Aybek', text: longText.slice(0, 200) }))
})

it('counts messages of others while the user is scrolled up, until they reach the end', () => {
  const oldMessage = message(1, 5, 'Is it late?')
  const arrivedMessages = [oldMessage, message(2, 5, 'Hello?'), message(3, reader, 'Yes'), message(4, 5, null)]
  const { result, rerender } = renderThread([oldMessage], false)
  rerender({ messages: arrivedMessages, isAtEnd: false })
  expect(result.current.fresh).toBe(2)
  rerender({ messages: arrivedMessages, isAtEnd: true })
  expect(result.current.fresh).toBe(0)
})
