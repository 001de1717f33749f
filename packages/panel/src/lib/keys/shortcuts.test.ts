import { describe, expect, it } from 'vitest'
import { hasMessage, loadFeatureMessages } from '../i18n.ts'
import { keyCapsOf, isPressed, isTyping, shortcuts } from './shortcuts.ts'

const makeKeyEvent = (init: KeyboardEventInit) => new KeyboardEvent('keydown', init)

describe('isPressed', () => {
  it('compares the keys of a shortcut by their position, whatever letter the layout gives', () => {
    expect(isPressed(makeKeyEvent({ code: 'KeyK', key: 'л', ctrlKey: true }), shortcuts.everywhere.palette)).toBe(true)
    expect(isPressed(makeKeyEvent({ code: 'KeyK', key: 'k', metaKey: true }), shortcuts.everywhere.palette)).toBe(true)
    expect(isPressed(makeKeyEvent({ code: 'KeyJ', key: 'j' }), shortcuts.list.down)).toBe(true)
  })

  it('ignores a shortcut with additional modifier keys', () => {
    expect(isPressed(makeKeyEvent({ code: 'KeyK', ctrlKey: true, shiftKey: true }), shortcuts.everywhere.palette)).toBe(
      false,
    )
    expect(isPressed(makeKeyEvent({ code: 'KeyJ', ctrlKey: true }), shortcuts.list.down)).toBe(false)
    expect(isPressed(makeKeyEvent({ code: 'ArrowDown' }), shortcuts.desk.next)).toBe(false)
  })

  it('compares punctuation in a shortcut by its character, whatever its position', () => {
    expect(isPressed(makeKeyEvent({ code: 'Digit7', key: '?', shiftKey: true }), shortcuts.everywhere.help)).toBe(true)
    expect(isPressed(makeKeyEvent({ code: 'Slash', key: ',', shiftKey: true }), shortcuts.everywhere.help)).toBe(false)
  })

  it('leaves letters without Ctrl to a text field', () => {
    expect(isTyping(document.createElement('textarea'))).toBe(true)
    expect(isTyping(document.createElement('button'))).toBe(false)
  })
})

it('defines a label and key caps for every shortcut', async () => {
  await loadFeatureMessages()
  const rows = Object.entries(shortcuts).flatMap(([shortcutPart, names]) =>
    Object.keys(names).map((name) => `shortcuts.${shortcutPart}.${name}`),
  )
  const ids = [...rows, ...Object.keys(shortcuts).map((shortcutPart) => `shortcuts.part.${shortcutPart}`)]
  expect(ids.filter((id) => !hasMessage(id))).toEqual([])
  expect(keyCapsOf({ code: 'ArrowDown', alt: true })).toEqual(['Alt', '↓'])
  expect(keyCapsOf({ code: 'KeyK', ctrl: true })).toEqual(['Ctrl', 'K'])
})
