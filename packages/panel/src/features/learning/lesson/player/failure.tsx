/** Message that explains why a video does not play, with a retry where it may help. */
import { useT } from '../../../../lib/i18n.ts'
import type { MediaFailure } from './media-failure.ts'

export function PlayerFailure({ failure, onRetry }: { failure: MediaFailure; onRetry: () => void }) {
  const t = useT()
  return (
    <div role="alert" className="player-failure">
      <p>{t(`player.${failure}`)}</p>
      <button type="button" onClick={onRetry} className="player-text-button">
        {t('action.retry')}
      </button>
    </div>
  )
}
