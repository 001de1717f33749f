/** The pictures of a record in order: one is shown large, and each can be moved up and down and removed. */
import type { Entry } from '@dala/model'
import ArrowDown from 'lucide-react/icons/arrow-down'
import ArrowUp from 'lucide-react/icons/arrow-up'
import X from 'lucide-react/icons/x'
import { type ReactNode, useRef, useState } from 'react'
import { useT } from '../../lib/i18n.ts'
import { IconButton } from '../../ui/icon-button.tsx'
import { CoverPicture } from './cover.tsx'
import { PicturePreview } from './preview.tsx'
import { fileNameOf, reorderItems } from './picture-value.ts'

interface PictureListProps {
  pictures: readonly Entry[]
  onChange: (pictures: Entry[]) => void
  /** Called after the picture whose button had the focus was removed. */
  onGone: () => void
  /** Actions on the picture that is shown large. */
  actions: (picture: Entry) => ReactNode
}

export function PictureList({ pictures, onChange, onGone, actions }: PictureListProps) {
  const t = useT()
  const list = useRef<HTMLUListElement>(null)
  const [shownId, setShownId] = useState<number | null>(null)
  const shownPicture = pictures.find(({ id }) => id === shownId) ?? pictures[0]
  if (!shownPicture) return null
  const move = (index: number, step: -1 | 1, button: 'up' | 'down') => {
    onChange(reorderItems(pictures, index, step))
    // A moved picture loses the focus with its position on the page, so its button takes the focus again.
    requestAnimationFrame(() => {
      list.current?.children[index + step]?.querySelector<HTMLElement>(`[data-move="${button}"]`)?.focus()
    })
  }
  return (
    <>
      <PicturePreview pictures={pictures} picture={shownPicture} />
      {actions(shownPicture)}
      <ul ref={list} className="grid gap-1.5">
        {pictures.map((picture, index) => {
          const name = fileNameOf(picture)
          return (
            <li key={picture.id} className="flex items-center gap-2">
              <button
                type="button"
                aria-pressed={picture === shownPicture}
                aria-label={t('a11y.imageAlt', { name })}
                onClick={() => setShownId(picture.id)}
                className="size-11 shrink-0 overflow-hidden rounded-2 border border-line aria-pressed:outline-2 aria-pressed:outline-brand-ui"
              >
                <CoverPicture file={picture} width={44} className="size-full" />
              </button>
              <bdi dir="ltr" className="min-w-0 flex-1 truncate text-sm">
                {name}
              </bdi>
              <IconButton
                label={t('picture.moveUp', { name })}
                data-move="up"
                icon={<ArrowUp size={17} aria-hidden />}
                disabled={index === 0 && t('list.isFirst')}
                onClick={() => move(index, -1, 'up')}
              />
              <IconButton
                label={t('picture.moveDown', { name })}
                data-move="down"
                icon={<ArrowDown size={17} aria-hidden />}
                disabled={index === pictures.length - 1 && t('list.isLast')}
                onClick={() => move(index, 1, 'down')}
              />
              <IconButton
                label={t('picture.remove', { name })}
                icon={<X size={17} aria-hidden />}
                onClick={() => {
                  onChange(pictures.filter(({ id }) => id !== picture.id))
                  onGone()
                }}
              />
            </li>
          )
        })}
      </ul>
    </>
  )
}
