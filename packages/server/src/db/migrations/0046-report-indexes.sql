-- 0046-report-indexes: reports count corrections of prices and decisions on posts by their time.

create index revisions_prices_idx on revisions (created_at) where resource = 'pricelists' and operation = 'update';
create index post_decisions_created_idx on post_decisions (created_at);
