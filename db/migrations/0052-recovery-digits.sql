-- A code of six digits for typing, beside the long one of the mail's link: good only in the browser that asked for it.

alter table recovery_requests add column browser_hash bytea;

alter table recoveries
  add column browser_hash bytea,
  add column digits_hash bytea,
  add column tries smallint not null default 0;

create index recoveries_by_browser on recoveries (browser_hash) where digits_hash is not null;
