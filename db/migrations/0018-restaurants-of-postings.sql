-- Every posting of a rewarded transaction names its restaurant. Before, only the restaurant's own did, and the others
-- counted for the restaurant of the transaction: when the network moved a transaction to another restaurant, the
-- settlement files of past days changed.
alter table postings drop constraint postings_check1;
alter table postings add constraint postings_name_restaurant check (account <> 'restaurant' or merchant_id is not null);
drop index postings_by_merchant;
create index postings_by_merchant on postings (merchant_id, journal_entry_id) where account = 'restaurant';

-- The restaurant that an entry was posted for; where it names two or none, that of the transaction.
update postings p set merchant_id = coalesce(named.merchant_id, t.merchant_id)
from journal_entries j
  join transactions t on t.partner_id = j.partner_id and t.network_id = j.source_id and t.type_code = 'S'
  left join lateral (
    select min(r.merchant_id) as merchant_id from postings r
    where r.journal_entry_id = j.id and r.account = 'restaurant' having count(distinct r.merchant_id) = 1
  ) named on true
where p.partner_id = j.partner_id and p.journal_entry_id = j.id and j.source = 'transaction' and p.merchant_id is null
  and t.merchant_id is not null;
