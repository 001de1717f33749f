import { describe, expect, it } from 'vitest'
import { hasMessage, loadFeatureWords } from '../i18n.ts'
import { capsOf, isPressed, isTyping, shortcuts } from './shortcuts.ts'

const press = (init: KeyboardEventInit) => new KeyboardEvent('keydown', init)

describe('a shortcut', () => {
  it('is meant by place, whatever letter the layout gives', () => {
    expect(isPressed(press({ code: 'KeyK', key: 'л', ctrlKey: true }), shortcuts.everywhere.palette)).toBe(true)
    expect(isPressed(press({ code: 'KeyK', key: 'k', metaKey: true }), shortcuts.everywhere.palette)).toBe(true)
    expect(isPressed(press({ code: 'KeyJ', key: 'j' }), shortcuts.list.down)).toBe(true)
  })

  it('is not pressed with further keys', () => {
    expect(isPressed(press({ code: 'KeyK', ctrlKey: true, shiftKey: true }), shortcuts.everywhere.palette)).toBe(false)
    expect(isPressed(press({ code: 'KeyJ', ctrlKey: true }), shortcuts.list.down)).toBe(false)
    expect(isPressed(press({ code: 'ArrowDown' }), shortcuts.desk.next)).toBe(false)
  })

  it('that is a sign is meant by the sign, wherever it stands', () => {
    expect(isPressed(press({ code: 'Digit7', key: '?', shiftKey: true }), shortcuts.everywhere.help)).toBe(true)
    expect(isPressed(press({ code: 'Slash', key: ',', shiftKey: true }), shortcuts.everywhere.help)).toBe(false)
  })

  it('without Ctrl is a letter while one types', () => {
    expect(isTyping(document.createElement('textarea'))).toBe(true)
    expect(isTyping(document.createElement('button'))).toBe(false)
  })
})

it('every shortcut has its words and its caps', async () => {
  await loadFeatureWords()
  const rows = Object.entries(shortcuts).flatMap(([part, names]) =>
    Object.keys(names).map((name) => `shortcuts.${part}.${name}`),
  )
  const ids = [...rows, ...Object.keys(shortcuts).map((part) => `shortcuts.part.${part}`)]
  expect(ids.filter((id) => !hasMessage(id))).toEqual([])
  expect(capsOf({ code: 'ArrowDown', alt: true })).toEqual(['Alt', '↓'])
  expect(capsOf({ code: 'KeyK', ctrl: true })).toEqual(['Ctrl', 'K'])
})
