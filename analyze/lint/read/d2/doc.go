// Package d2 reads the configuration of rest.li's D2 in JSON: how clients call each
// service of a cluster, with limits, pools, the degrader, budgets of retries and backup
// requests.
//
// It knows nothing of the values that a client's program sets, nor of ZooKeeper.
package d2
