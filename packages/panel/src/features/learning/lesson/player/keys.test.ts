import { describe, expect, it } from 'vitest'
import { actionOfKey } from './keys.ts'

/** Presses a key and returns the action that was called, with its argument. */
function pressKey(init: KeyboardEventInit, target: HTMLElement = document.createElement('section')): unknown {
  let calledAction: unknown
  const note =
    (name: string) =>
    (...args: unknown[]) =>
      (calledAction = [name, ...args])
  document.body.append(target)
  target.addEventListener('keydown', (event) =>
    actionOfKey(event)?.act({
      togglePlay: note('togglePlay'),
      move: note('move'),
      moveTo: note('moveTo'),
      changeVolume: note('changeVolume'),
      toggleMute: note('toggleMute'),
      toggleSubtitles: note('toggleSubtitles'),
      toggleFullScreen: note('toggleFullScreen'),
      changeSpeed: note('changeSpeed'),
    }),
  )
  target.dispatchEvent(new KeyboardEvent('keydown', init))
  return calledAction
}

describe('actionOfKey', () => {
  it.each<[string, KeyboardEventInit, unknown]>([
    ['Space', { code: 'Space', key: ' ' }, ['togglePlay']],
    ['K', { code: 'KeyK', key: 'л' }, ['togglePlay']],
    ['J', { code: 'KeyJ', key: 'j' }, ['move', -10]],
    ['L', { code: 'KeyL', key: 'l' }, ['move', 10]],
    ['the left arrow', { code: 'ArrowLeft' }, ['move', -5]],
    ['the right arrow', { code: 'ArrowRight' }, ['move', 5]],
    ['the up arrow', { code: 'ArrowUp' }, ['changeVolume', 0.1]],
    ['the down arrow', { code: 'ArrowDown' }, ['changeVolume', -0.1]],
    ['C', { code: 'KeyC', key: 'c' }, ['toggleSubtitles']],
    ['F', { code: 'KeyF', key: 'f' }, ['toggleFullScreen']],
    ['M', { code: 'KeyM', key: 'm' }, ['toggleMute']],
    ['<', { code: 'Comma', key: '<', shiftKey: true }, ['changeSpeed', -1]],
    ['>', { code: 'Period', key: '>', shiftKey: true }, ['changeSpeed', 1]],
    ['Home', { code: 'Home' }, ['moveTo', 0]],
    ['End', { code: 'End' }, ['moveTo', 1]],
    ['7', { code: 'Digit7', key: '7' }, ['moveTo', 0.7]],
    ['0 of the number pad', { code: 'Numpad0', key: '0' }, ['moveTo', 0]],
    ['a key of the browser', { code: 'KeyK', key: 'k', ctrlKey: true }, undefined],
    ['another key', { code: 'KeyX', key: 'x' }, undefined],
  ])('finds the action of the player for the key %s', (_name, init, expected) => {
    expect(pressKey(init)).toEqual(expected)
  })
  it('leaves Space to the buttons of the player, and arrows to its choices and its volume', () => {
    const button = () => document.createElement('button')
    const radio = () => Object.assign(document.createElement('input'), { type: 'radio' })
    expect(pressKey({ code: 'Space', key: ' ' }, button())).toBeUndefined()
    expect(pressKey({ code: 'ArrowDown' }, radio())).toBeUndefined()
    expect(pressKey({ code: 'ArrowRight' }, button())).toEqual(['move', 5])
  })
})
