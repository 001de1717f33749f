-- rolling-update: yes
-- 0065-bulk-changed-fields: the number of values that a bulk job has changed.

alter table bulk_jobs add column changed_fields integer not null default 0;
