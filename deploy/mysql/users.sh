#!/bin/bash
# Run once by the image of MySQL, on an empty database: the user of the migrations, and that of the service, who can change
# no table and take away no trigger, so that what was sealed stays.
mysql --protocol=socket -uroot -p"$MYSQL_ROOT_PASSWORD" <<SQL
CREATE USER 'notary_migrate'@'%' IDENTIFIED BY '$(cat /run/secrets/mysql-migrate-password)';
GRANT SELECT, INSERT, UPDATE, DELETE, CREATE, ALTER, INDEX, DROP, REFERENCES, TRIGGER ON notary.* TO 'notary_migrate'@'%';
CREATE USER 'notary'@'%' IDENTIFIED BY '$(cat /run/secrets/mysql-service-password)';
GRANT SELECT, INSERT, UPDATE, DELETE ON notary.* TO 'notary'@'%';
SQL
