import { act, renderHook } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { emitSessionEnd } from '../../lib/session-end.ts'
import { useOtherScript } from './use-other-script.ts'

describe('a text in its other script', () => {
  it('is shown on demand, still after the text scrolls back into view, and until the session ends', () => {
    const { result, unmount } = renderHook(() => useOtherScript('message/1', 'Gúzgi egin', 'kaa'))
    expect(result.current.converted).toBeUndefined()
    expect(result.current.find()).toMatchObject({ script: 'cyrillic', text: 'Гүзги егин' })
    act(() => result.current.toggle())
    expect(result.current.converted).toMatchObject({ text: 'Гүзги егин', locale: 'kaa' })
    unmount()
    const again = renderHook(() => useOtherScript('message/1', 'Gúzgi egin, edited', 'kaa'))
    expect(again.result.current.converted?.text).toBe('Гүзги егин, едитед')
    act(() => again.result.current.toggle())
    expect(again.result.current.converted).toBeUndefined()
    act(() => again.result.current.toggle())
    emitSessionEnd()
    expect(renderHook(() => useOtherScript('message/1', 'Gúzgi egin', 'kaa')).result.current.converted).toBeUndefined()
  })

  it('is absent where the language is unknown or there is no text', () => {
    expect(renderHook(() => useOtherScript('message/2', 'When to sow?', 'en')).result.current.find()).toBeUndefined()
    expect(renderHook(() => useOtherScript('message/3', null, 'uz')).result.current.find()).toBeUndefined()
  })
})
