-- 0043-desk-comfort: targets of later replies by category, and waits that end because they need no reply.

alter table "consultationcategories" add column "next_reply_minutes" integer not null default 120;
alter table "consultationcategories" add constraint "consultationcategories_next_reply_minutes_check" check ("next_reply_minutes" >= 0);

alter table room_changes drop constraint room_changes_type_check;
alter table room_changes add constraint room_changes_type_check
  check (type in ('created', 'updated', 'deleted', 'state', 'no_reply', 'assigned'));
alter table consultation_steps drop constraint consultation_steps_action_check;
alter table consultation_steps add constraint consultation_steps_action_check
  check (action in ('assign', 'finish', 'reopen', 'no_reply'));
